-- Canonical URLs: safe normalization, then dustpan's rules until nothing changes. For Lua 5.1 and later, and LuaJIT.
local RULES = {}
-- Single URLs that are another one's page, after the rules.
local ALIASES = {}

local MAX_ROUNDS = 10
local MAX_APPLICATIONS = 1000
local find, sub, byte = string.find, string.sub, string.byte

-- ASCII letters alone, whatever the locale.
local function lower(text)
  return (text:gsub("[A-Z]", function(letter) return string.char(byte(letter) + 32) end))
end

local function starts(text, part, at)
  return sub(text, at, at + #part - 1) == part
end

local function is_alphanumeric(code)
  return code ~= nil and ((code >= 97 and code <= 122) or (code >= 48 and code <= 57) or (code >= 65 and code <= 90))
end

-- Indices of first characters; an end is the index behind the last one.
local function parts_from(url, scheme_end, host_start, host_end, port_start, path_start)
  local query_end = find(url, "#", path_start, true) or #url + 1
  local path_end = find(url, "?", path_start, true)
  if path_end == nil or path_end > query_end then path_end = query_end end
  return {
    scheme_end = scheme_end, host_start = host_start, host_end = host_end, port_start = port_start,
    path_start = path_start, path_end = path_end, query_end = query_end,
  }
end

-- The end of an IPv6 address in brackets, or `start` where this is none.
local function address_end(url, start, stop)
  local close = find(url, "]", start, true)
  if sub(url, start, start) ~= "[" or close == nil or close < start + 3 or close >= stop then return start end
  if close + 1 < stop and sub(url, close + 1, close + 1) ~= ":" then return start end
  return find(sub(url, start + 1, close - 1), "^[0-9a-fA-F:.]*$") and close + 1 or start
end

-- Where the parts of an http or https URL are, or of a path with its query; nil where this is neither.
local function parse(url)
  if sub(url, 1, 1) == "/" then return parts_from(url, 1, 1, 1, 1, 1) end
  local scheme = lower(url:match("^(%a+)://") or "")
  if scheme ~= "http" and scheme ~= "https" then return nil end
  local scheme_end = #scheme + 1
  local path_start = find(url, "[/?#]", scheme_end + 3) or #url + 1
  local authority = sub(url, scheme_end + 3, path_start - 1)
  if find(authority, "\\", 1, true) then return nil end
  local credentials = authority:match("^.*@") or ""
  local host_start = scheme_end + 3 + #credentials
  local own = sub(url, host_start, path_start - 1)
  local host_end
  if find(own, "[%z\1-\32#%%<>%[%]^|\127]") then
    host_end = address_end(url, host_start, path_start)
  else
    local colon = find(own, ":", 1, true)
    host_end = colon and host_start + colon - 1 or path_start
  end
  if host_end == host_start then return nil end
  local port_start = host_end < path_start and host_end + 1 or host_end
  local port = sub(url, port_start, path_start - 1)
  if find(port, "[^0-9]") or (port ~= "" and tonumber(port) > 65535) then return nil end
  return parts_from(url, scheme_end, host_start, host_end, port_start, path_start)
end

-- ---------------------------------------------------------------------------------------------- safe normalization

local function remove_dot_segments(path)
  local kept = {}
  local segments = {}
  for segment in (sub(path, 2) .. "/"):gmatch("([^/]*)/") do segments[#segments + 1] = segment end
  for place, segment in ipairs(segments) do
    if segment ~= "." and segment ~= ".." then
      kept[#kept + 1] = segment
    else
      if segment == ".." then kept[#kept] = nil end
      if place == #segments then kept[#kept + 1] = "" end
    end
  end
  return "/" .. table.concat(kept, "/")
end

local function normalize(url)
  local parts = parse(url)
  if parts == nil then return url end
  local scheme = lower(sub(url, 1, parts.scheme_end - 1))
  local host = lower(sub(url, parts.host_start, parts.host_end - 1))
  local port = sub(url, parts.host_end, parts.path_start - 1)
  if port ~= "" then
    local number = tonumber(sub(url, parts.port_start, parts.path_start - 1))
    if number == nil or number == (scheme == "http" and 80 or 443) then port = "" end
  end
  local path = sub(url, parts.path_start, parts.path_end - 1)
  if path == "" then path = "/" end
  if find(path, "/.", 1, true) then path = remove_dot_segments(path) end
  local rest = path .. sub(url, parts.path_end, parts.query_end - 1)
  rest = rest:gsub("%%[0-9A-Fa-f][0-9A-Fa-f]", string.upper)
  return scheme .. sub(url, parts.scheme_end, parts.host_start - 1) .. host .. port .. rest
end

-- ------------------------------------------------------------------------------------------------------ parameters

-- The query's parameters: separator, name, and "=" with the value. The ";" of a leading "amp;" belongs to the name.
local function parameters_of(url, start, stop)
  local found = {}
  local at = start
  while at < stop do
    local begin = at + 1
    local rest = begin
    while sub(url, rest, rest + 3) == "amp;" and rest + 4 <= stop do rest = rest + 4 end
    local behind = find(url, "[&;]", rest)
    if behind == nil or behind > stop then behind = stop end
    local equals = find(url, "=", begin, true)
    if equals == nil or equals >= behind then equals = behind end
    found[#found + 1] = {
      separator = sub(url, at, at), name = sub(url, begin, equals - 1), value = sub(url, equals, behind - 1),
    }
    at = behind
  end
  return found
end

local function is_nothing(parameter) return parameter.name == "" and parameter.value == "" end

-- The query's text. A ";" behind a bare "amp" would be read as part of the next name: it becomes "&".
local function join(parameters)
  local query = ""
  for _, each in ipairs(parameters) do
    local separator = each.separator
    if query == "" then
      separator = "?"
    elseif separator == ";" and (query == "?amp" or find(query, "[&;]amp$")) then
      separator = "&"
    end
    query = query .. separator .. each.name .. each.value
  end
  return query
end

local function filter(parameters, is_kept)
  local kept = {}
  for place, each in ipairs(parameters) do
    if is_kept(each, place) then kept[#kept + 1] = each end
  end
  return kept
end

local function keep_one(parameters, name, is_first)
  local chosen = {}
  for place, each in ipairs(parameters) do
    if not is_nothing(each) and not (is_first and chosen[each.name]) then chosen[each.name] = place end
  end
  return filter(parameters, function(each, place)
    return is_nothing(each) or (name ~= nil and each.name ~= name) or chosen[each.name] == place
  end)
end

-- Bytes, which is the order of code points; `<` would ask the locale.
local function is_before(a, b)
  local length = math.min(#a, #b)
  for i = 1, length do
    local left, right = byte(a, i), byte(b, i)
    if left ~= right then return left < right end
  end
  return #a < #b
end

local function sort(parameters)
  local named = {}
  for place, each in ipairs(parameters) do
    if not is_nothing(each) then named[#named + 1] = { each, place } end
  end
  table.sort(named, function(a, b)
    if a[1].name ~= b[1].name then return is_before(a[1].name, b[1].name) end
    return a[2] < b[2]
  end)
  local sorted = {}
  local next_named = 1
  for place, each in ipairs(parameters) do
    if is_nothing(each) then
      sorted[place] = each
    else
      local own = named[next_named][1]
      sorted[place] = { separator = each.separator, name = own.name, value = own.value }
      next_named = next_named + 1
    end
  end
  return sorted
end

local function edit_query(rule, parameters)
  local operation, name = rule.operation, rule.first
  if operation == "remove" then
    return filter(parameters, function(each) return each.name ~= name end)
  elseif operation == "drop-empty" then
    return filter(parameters, function(each)
      return (each.value ~= "" and each.value ~= "=") or (name ~= nil and each.name ~= name)
    end)
  elseif operation == "sort" then
    return sort(parameters)
  elseif operation == "keep-first" or operation == "keep-last" then
    return keep_one(parameters, name, operation == "keep-first")
  end
  for _, each in ipairs(parameters) do
    if each.name == name then each.value = "=" .. rule.second end
  end
  return parameters
end

-- Path parameters of this name go (no value), or get the value.
local function edit_path(url, start, stop, name, value)
  local edited = ""
  local copied = 1
  local at = find(url, ";", start, true)
  while at ~= nil and at < stop do
    local behind = find(url, "[;/]", at + 1)
    if behind == nil or behind > stop then behind = stop end
    local equals = find(url, "=", at, true)
    if equals ~= nil and equals < behind and equals > at + 1 and sub(url, at + 1, equals - 1) == name then
      if value == nil then
        edited = edited .. sub(url, copied, at - 1)
      else
        edited = edited .. sub(url, copied, equals) .. value
      end
      copied = behind
    end
    at = find(url, ";", behind, true)
  end
  return edited .. sub(url, copied)
end

-- Percent-encoded bytes keep their case.
local function lower_path(path)
  local lowered = ""
  local copied = 1
  for at in path:gmatch("()%%[0-9A-Fa-f][0-9A-Fa-f]") do
    lowered = lowered .. lower(sub(path, copied, at - 1)) .. sub(path, at, at + 2)
    copied = at + 3
  end
  return lowered .. lower(sub(path, copied))
end

local MARKS = "-_~!$'()*,:@"

-- Percent-encoded marks as they are.
local function decode(text, marks)
  local decoded = text:gsub("%%([2-7][0-9A-Fa-f])", function(hex)
    local mark = string.char(tonumber(hex, 16))
    return find(marks, mark, 1, true) and mark or nil
  end)
  return decoded
end

-- The slash at the end of the path, the name of a folder's own page, or the end of a page's name.
local function edit_path_end(operation, path, text)
  local name = path:match("[^/]*$")
  if operation == "drop-slash" then
    return #path > 1 and sub(path, -1) == "/" and sub(path, -2, -2) ~= "/" and sub(path, 1, -2) or path
  elseif operation == "drop-name" then
    return path ~= "" and name == text and sub(path, 1, -#text - 1) or path
  elseif operation == "drop-extension" then
    return #name > #text and sub(name, -#text) == text and sub(path, 1, -#text - 1) or path
  end
  -- "/a.html/" and "/a;v=1/" are other pages, if they are any.
  if name == "" or find(name, "[.;]") then return path end
  return path .. (operation == "add-slash" and "/" or text)
end

-- A name with a dot in it that is no address.
local function is_domain(host)
  return find(host, ".", 1, true) and not find(host, "^[0-9.]*$") and not find(host, "^%.") and not find(host, "[%[:]")
end

local function edit_www(url, start, stop, is_added)
  local has_prefix = lower(sub(url, start, start + 3)) == "www."
  if is_added then
    if has_prefix or not is_domain(sub(url, start, stop - 1)) then return url end
    return sub(url, 1, start - 1) .. "www." .. sub(url, start)
  end
  local rest = sub(url, start + 4, stop - 1)
  if not has_prefix or not is_domain(rest) or lower(sub(rest, 1, 4)) == "www." then return url end
  return sub(url, 1, start - 1) .. sub(url, start + 4)
end

-- ------------------------------------------------------------------------------------------------------ substrings

local function is_boundary(text, at)
  return at <= 1 or at > #text or not (is_alphanumeric(byte(text, at - 1)) and is_alphanumeric(byte(text, at)))
end

local function qualifies(text, at, old, new)
  local behind = at + #old
  if not is_boundary(text, at) or not is_boundary(text, behind) then return false end
  local before, after = at > 1 and is_alphanumeric(byte(text, at - 1)), is_alphanumeric(byte(text, behind))
  if new == "" then return not (before and after) end
  return not (before and is_alphanumeric(byte(new, 1))) and not (after and is_alphanumeric(byte(new, #new)))
end

-- nil where the URL would come apart, or something would change sides between host and path.
local function replace_at(text, at, old, new)
  local result = sub(text, 1, at - 1) .. new .. sub(text, at + #old)
  local slash = sub(text, 1, 1) == "/" and 1 or find(text, "/", 9, true)
  if slash ~= nil and slash < at then return result end
  local before, after = parse(text), parse(result)
  if before == nil or after == nil then return nil end
  local border, moved = before.path_start, after.path_start
  if at <= border then
    if at + #old < border then
      if moved - border ~= #new - #old then return nil end
    elseif not (at <= moved and moved <= at + #new) then
      return nil
    end
  end
  return result
end

local function is_replaced(text, old, new, at_start)
  if #new < #old then return false end
  local place = at_start and 1 or #text - #new + 1
  if place < 1 or not starts(text, new, place) then return false end
  return is_boundary(text, at_start and #new + 1 or place)
end

-- The first occurrence in whole tokens; none that is part of a `new` already.
local function replace(text, rule)
  local old, new = rule.first, rule.second
  if rule.at_start or rule.at_end then
    local at = rule.at_start and 1 or #text - #old + 1
    if at < 1 or not starts(text, old, at) or (rule.at_end and at + #old ~= #text + 1) then return nil end
    if not qualifies(text, at, old, new) or is_replaced(text, old, new, rule.at_start) then return nil end
    return replace_at(text, at, old, new)
  end
  local at = find(text, old, 1, true)
  if at == nil then return nil end
  local may_be_replaced = #new > #old and find(new, old, 1, true)
  local place = may_be_replaced and find(text, new, 1, true)
  local last
  while at ~= nil do
    -- Of the places of `new` that begin before, the last one reaches farthest.
    while place and place <= at do
      if is_boundary(text, place) and is_boundary(text, place + #new) then last = place end
      place = find(text, new, place + 1, true)
    end
    if qualifies(text, at, old, new) and not (last and at + #old <= last + #new) then
      local result = replace_at(text, at, old, new)
      if result ~= nil then return result end
    end
    at = find(text, old, at + 1, true)
  end
  return nil
end

-- ---------------------------------------------------------------------------------------------------- canonization

local function in_scope(rule, url, parts)
  local host, path = rule.host, rule.path
  if host ~= nil then
    local given = lower(sub(url, parts.host_start, parts.host_end - 1))
    local tail = sub(host, 2)
    if given ~= host and not (sub(host, 1, 2) == "*." and (sub(given, -#tail) == tail or given == sub(host, 3))) then
      return false
    end
  end
  local own = sub(url, parts.path_start, parts.path_end - 1)
  if path ~= nil and not starts(own == "" and "/" or own, path, 1) then return false end
  if rule.script ~= nil then
    local whole = "/" .. (own:match("^(.*/)") or "") .. own:match("[^/]*$"):match("^[^;]*")
    local tail = "/" .. rule.script
    if sub(whole, -#tail) ~= tail then return false end
  end
  if rule.parameters ~= nil then
    local found = parameters_of(url, parts.path_end, parts.query_end)
    for name, condition in pairs(rule.parameters) do
      local is_there = false
      for _, each in ipairs(found) do
        if each.name == name then
          if condition == false then return false end
          if condition ~= true and sub(each.value, 2) ~= condition then return false end
          is_there = true
        end
      end
      if condition ~= false and not is_there then return false end
    end
  end
  return true
end

local captures = {
  number = "[0-9]", hex = "[0-9A-Fa-f]", word = "[0-9A-Za-z_-]", segment = "[^/?&;=]", rest = ".",
}

-- Texts, and captures with a name and a pattern of one character.
local function template_parts(template)
  local found, at = {}, 1
  while at <= #template do
    local two = sub(template, at, at + 1)
    local name, class = template:match("^{(%w+):(%w+)}", at)
    if two == "{{" or two == "}}" then
      found[#found + 1] = { text = sub(two, 1, 1) }
      at = at + 2
    elseif name ~= nil then
      found[#found + 1] = { name = name, class = captures[class] }
      at = at + #name + #class + 3
    else
      local text = template:match("^[^{}]+", at)
      found[#found + 1] = { text = text }
      at = at + #text
    end
  end
  return found
end

-- Each capture takes as much as it can. From the right: where does it end if it begins here and the rest matches?
local function edit_template(text, from, to)
  local all = template_parts(from)
  if not starts(text, all[1].text, 1) then return text end
  local ends, rest = {}, { [#text + 1] = #text + 1 }
  for i = #all, 1, -1 do
    local part, own = all[i], {}
    for at = #text + 1, 1, -1 do
      if part.text ~= nil then
        if starts(text, part.text, at) then own[at] = rest[at + #part.text] end
      elseif at <= #text and find(sub(text, at, at), part.class) then
        own[at] = own[at + 1] or (rest[at + 1] and at + 1)
      end
    end
    ends[i], rest = own, own
  end
  if rest[1] == nil then return text end
  local values, at = {}, 1
  for i, part in ipairs(all) do
    local stop = part.text ~= nil and at + #part.text or ends[i][at]
    if part.name ~= nil then values[part.name] = sub(text, at, stop - 1) end
    at = stop
  end
  local edited = ""
  for _, part in ipairs(template_parts(to)) do edited = edited .. (part.text or values[part.name]) end
  return edited
end

local path_end_operations = {
  ["drop-slash"] = true, ["add-slash"] = true, ["drop-name"] = true, ["drop-extension"] = true, ["add-extension"] = true,
}

-- What the rule makes of the URL; nil where it changes nothing.
local function apply(rule, url)
  local parts = parse(url)
  if not in_scope(rule, url, parts) then return nil end
  local operation = rule.operation
  if operation == "replace" then return replace(url, rule) end
  local path_start, path_end, query_end = parts.path_start, parts.path_end, parts.query_end
  local edited
  if operation == "remove-path" or operation == "set-path" then
    edited = edit_path(url, path_start, path_end, rule.first, rule.second)
  elseif operation == "drop-www" or operation == "add-www" then
    edited = edit_www(url, parts.host_start, parts.host_end, operation == "add-www")
  elseif operation == "scheme" then
    -- On the ports that both schemes have by themselves.
    local is_free = parts.scheme_end > 1 and parts.host_end == path_start
    edited = is_free and rule.first .. sub(url, parts.scheme_end) or url
  elseif path_end_operations[operation] then
    local path = edit_path_end(operation, sub(url, path_start, path_end - 1), rule.first)
    edited = sub(url, 1, path_start - 1) .. path .. sub(url, path_end)
  elseif operation == "lower-path" then
    edited = sub(url, 1, path_start - 1) .. lower_path(sub(url, path_start, path_end - 1)) .. sub(url, path_end)
  elseif operation == "single-slash" then
    local path = sub(url, path_start, path_end - 1):gsub("/+", "/")
    edited = sub(url, 1, path_start - 1) .. path .. sub(url, path_end)
  elseif operation == "decode-marks" then
    local path = decode(sub(url, path_start, path_end - 1), MARKS)
    local query = decode(sub(url, path_end, query_end - 1), MARKS .. "/?")
    edited = sub(url, 1, path_start - 1) .. path .. query .. sub(url, query_end)
  elseif operation == "template" then
    local image = edit_template(sub(url, path_start, query_end - 1), rule.first, rule.second)
    edited = sub(url, 1, path_start - 1) .. image .. sub(url, query_end)
  else
    local query = join(edit_query(rule, parameters_of(url, path_end, query_end)))
    edited = sub(url, 1, path_end - 1) .. query .. sub(url, query_end)
  end
  if edited == url then return nil end
  return edited
end

-- The rules alone, on a URL that is normal already. Where they find no rest, the URL as it was.
local function canonize(url)
  if parse(url) == nil then return url end
  local text = url
  local applications = 0
  for _ = 1, MAX_ROUNDS do
    local previous = text
    for _, rule in ipairs(RULES) do
      local changed = apply(rule, text)
      while changed ~= nil do
        applications = applications + 1
        if applications > MAX_APPLICATIONS then return url end
        text = changed
        changed = rule.is_repeated and apply(rule, text) or nil
      end
    end
    if text == previous then return text end
  end
  return url
end

local function canonical(url)
  local found = canonize(normalize(url))
  return ALIASES[found] or found
end
