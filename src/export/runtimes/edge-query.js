// What rules make of a query (with its "?"), for edge runtimes that speak little more than ECMAScript 5.
const RULES = [];

// Parameters as [separator, name, "=" and value]; the ";" of a leading "amp;" belongs to the name.
function parse(query) {
  const found = [];
  for (let at = 0; at < query.length; ) {
    let stop = at + 1;
    while (query.substr(stop, 4) === "amp;") stop += 4;
    while (stop < query.length && query[stop] !== "&" && query[stop] !== ";") stop++;
    const text = query.slice(at + 1, stop);
    let equals = text.indexOf("=");
    if (equals < 0) equals = text.length;
    found.push([query[at], text.slice(0, equals), text.slice(equals)]);
    at = stop;
  }
  return found;
}

// A ";" behind a bare "amp" would be read as part of the next name: it becomes "&".
function join(parameters) {
  let query = "";
  parameters.forEach((each) => {
    let separator = each[0];
    if (query === "") separator = "?";
    else if (separator === ";" && (query === "?amp" || /[&;]amp$/.test(query))) separator = "&";
    query += separator + each[1] + each[2];
  });
  return query;
}

function isNothing(parameter) {
  return parameter[1] === "" && parameter[2] === "";
}

function keepOne(parameters, name, isFirst) {
  const chosen = {};
  parameters.forEach((each, place) => {
    // The space keeps names apart from what every object has.
    if (!isNothing(each) && !(isFirst && chosen[` ${each[1]}`] !== undefined)) chosen[` ${each[1]}`] = place;
  });
  return parameters.filter(
    (each, place) => isNothing(each) || (name !== null && each[1] !== name) || chosen[` ${each[1]}`] === place,
  );
}

// By code points, equal names in their order; what has no name keeps its place.
function sort(parameters) {
  const named = [];
  parameters.forEach((each) => {
    if (isNothing(each)) return;
    let at = named.length;
    while (at > 0 && isBefore(each[1], named[at - 1][1])) at--;
    named.splice(at, 0, each);
  });
  return parameters.map((each) => {
    if (isNothing(each)) return each;
    const own = named.shift();
    return [each[0], own[1], own[2]];
  });
}

function isBefore(a, b) {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left === right) continue;
    const isHigh = (left & 0xf800) === 0xd800;
    return isHigh === ((right & 0xf800) === 0xd800) ? left < right : !isHigh;
  }
  return a.length < b.length;
}

function edit(operation, name, value, parameters) {
  if (operation === "sort") return sort(parameters);
  if (operation === "keep-first" || operation === "keep-last") {
    return keepOne(parameters, name, operation === "keep-first");
  }
  if (operation === "set") {
    return parameters.map((each) => (each[1] === name ? [each[0], name, `=${value}`] : each));
  }
  return parameters.filter((each) => {
    if (operation === "remove") return each[1] !== name;
    return (each[2] !== "" && each[2] !== "=") || (name !== null && each[1] !== name);
  });
}

function inScope(rule, host, path, parameters) {
  if (rule[3] !== null && host !== rule[3]) {
    if (rule[3].slice(0, 2) !== "*.") return false;
    if (host !== rule[3].slice(2) && host.slice(1 - rule[3].length) !== rule[3].slice(1)) return false;
  }
  if (rule[4] !== null && path.slice(0, rule[4].length) !== rule[4]) return false;
  const whole = `/${path.replace(/;[^/]*$/, "")}`;
  if (rule[5] !== null && whole.slice(-1 - rule[5].length) !== `/${rule[5]}`) return false;
  return rule[6].every((condition) => {
    const own = parameters.filter((each) => each[1] === condition[0]);
    if (!condition[1]) return own.length === 0;
    return own.length > 0 && own.every((each) => condition[2] === null || each[2].slice(1) === condition[2]);
  });
}

// All rules in order until nothing changes; where that does not end, the query as it was.
// biome-ignore lint/correctness/noUnusedVariables: what is written behind this calls it
function canonicalQuery(host, path, query) {
  host = host.toLowerCase().replace(/:[0-9]*$/, "");
  let text = query;
  for (let round = 0; round < 10; round++) {
    const previous = text;
    RULES.forEach((rule) => {
      const parameters = parse(text);
      if (inScope(rule, host, path, parameters)) text = join(edit(rule[0], rule[1], rule[2], parameters));
    });
    if (text === previous) return text;
  }
  return query;
}
