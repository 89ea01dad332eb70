import { type Code, i32, ifElse, ifThen, returnWith, whileDo } from "../../wasm/assembler.js";
import {
  add,
  and,
  bits,
  byteAt,
  eq,
  increase,
  lt,
  mul,
  ne,
  or,
  Program,
  pick,
  put,
  setByte,
  setWord,
  shr,
  sub,
  wordAt,
  xor,
} from "../../wasm/program.js";
import { END, START } from "./tokens.js";

/**
 * The code of tokenize.ts. Addresses in the text that is read are compared, so that it must lie in the first 2 GB.
 *
 * countTokens(text, offsets, urls, starts, total): sets starts[i] to `total` and adds the tokens of URL i to it, for each
 * URL i in text[offsets[i] .. offsets[i + 1]); gives the total. `longest` is the most that a URL had so far.
 *
 * tokenize(text, offsets, urls, tokens): writes the tokens' ids from an address on; gives the address after them. The
 * dictionary must have room for as many new tokens as the text has bytes.
 *
 * rehash(oldSlots, oldLength): fills the dictionary's slots, which must be 0, with those of a smaller one.
 */
export function tokensCode(): Uint8Array<ArrayBuffer> {
  const program = new Program();
  const { longest } = program.globals("longest");
  // Tables by byte: 1 for letters and digits; the id of the token of that byte alone, or 0.
  const { isWord, singles } = program.globals("isWord", "singles");
  // The dictionary: open addressing; by id, the hash and the end of the token's text; the number of ids.
  const dictionary = program.globals("slots", "mask", "hashes", "ends", "distinctText", "distinct");
  const { slots, mask, hashes, ends, distinctText, distinct } = dictionary;

  /** Bytes of the code point at `at`, or 1 where the bytes are not UTF-8: such a byte is a token by itself. */
  const codePointBytes = program.define(
    "codePointBytes",
    ["at", "end"],
    ["first", "second", "bytes", "k"],
    ({ at, end, first, second, bytes, k }) => [
      put(first, byteAt(at, 0)),
      put(bytes, pick(or(lt(first, 0xc2), lt(0xf4, first)), 1, pick(lt(first, 0xe0), 2, pick(lt(first, 0xf0), 3, 4)))),
      ifThen(or(eq(bytes, 1), lt(end, add(at, bytes))), returnWith(i32.const(1))),
      put(second, byteAt(at, 1)),
      ifThen(
        or(
          lt(second, pick(eq(first, 0xe0), 0xa0, pick(eq(first, 0xf0), 0x90, 0x80))),
          lt(pick(eq(first, 0xed), 0x9f, pick(eq(first, 0xf4), 0x8f, 0xbf)), second),
        ),
        put(bytes, 1),
      ),
      put(k, 2),
      whileDo(lt(k, bytes), ifThen(ne(bits(byteAt(at, k), 0xc0), 0x80), put(bytes, 1)), increase(k, 1)),
      bytes,
    ],
    { result: "i32" },
  );
  const isWordAt = (at: Code) => byteAt(isWord, byteAt(at, 0));

  program.define(
    "countTokens",
    ["text", "offsets", "urls", "starts", "total"],
    ["url", "at", "end"],
    ({ text, offsets, urls, starts, total, url, at, end }) => [
      whileDo(
        lt(url, urls),
        setWord(starts, url, total),
        put(at, add(text, wordAt(offsets, url))),
        put(end, add(text, wordAt(offsets, add(url, 1)))),
        increase(total, 2),
        whileDo(
          lt(at, end),
          ifElse(
            isWordAt(at),
            [increase(at, 1), whileDo(and(lt(at, end), isWordAt(at)), increase(at, 1))],
            [increase(at, pick(lt(byteAt(at, 0), 0x80), 1, codePointBytes(at, end)))],
          ),
          increase(total, 1),
        ),
        ifThen(lt(longest, sub(total, wordAt(starts, url))), put(longest, sub(total, wordAt(starts, url)))),
        increase(url, 1),
      ),
      total,
    ],
    { result: "i32" },
  );

  const addToken = program.define(
    "addToken",
    ["at", "end", "hash"],
    ["to"],
    ({ at, end, hash, to }) => [
      put(to, wordAt(ends, sub(distinct, 1))),
      whileDo(lt(at, end), setByte(distinctText, to, byteAt(at, 0)), increase(at, 1), increase(to, 1)),
      setWord(ends, distinct, to),
      setWord(hashes, distinct, hash),
      increase(distinct, 1),
      sub(distinct, 1),
    ],
    { result: "i32" },
  );

  const place = (hash: Code) => bits(xor(hash, shr(hash, 13)), mask);
  /** The id of the token from `at` to `end`. A hash only leads to candidates, bytes decide. */
  const lookup = program.define(
    "lookup",
    ["at", "end", "hash"],
    ["slot", "id", "begin", "i"],
    ({ at, end, hash, slot, id, begin, i }) => [
      put(hash, mul(xor(hash, shr(hash, 15)), 0x2c1b3c6d)),
      put(slot, place(hash)),
      put(id, wordAt(slots, slot)),
      whileDo(
        ne(id, 0),
        put(begin, wordAt(ends, sub(id, 1))),
        ifThen(
          and(eq(wordAt(hashes, id), hash), eq(sub(wordAt(ends, id), begin), sub(end, at))),
          put(i, at),
          put(begin, sub(add(distinctText, begin), at)),
          whileDo(and(lt(i, end), eq(byteAt(i, 0), byteAt(begin, i))), increase(i, 1)),
          ifThen(eq(i, end), returnWith(id)),
        ),
        put(slot, bits(add(slot, 1), mask)),
        put(id, wordAt(slots, slot)),
      ),
      put(id, addToken(at, end, hash)),
      setWord(slots, slot, id),
      id,
    ],
    { result: "i32" },
  );

  program.define(
    "tokenize",
    ["text", "offsets", "urls", "tokens"],
    ["url", "at", "end", "from", "first", "hash", "id"],
    ({ text, offsets, urls, tokens, url, at, end, from, first, hash, id }) => {
      const write = (token: Code | number) => [setWord(tokens, 0, token), increase(tokens, 4)];
      const addByte = [put(hash, xor(mul(hash, 0x01000193), byteAt(at, 0))), increase(at, 1)];
      return [
        whileDo(
          lt(url, urls),
          ...write(START),
          put(at, add(text, wordAt(offsets, url))),
          put(end, add(text, wordAt(offsets, add(url, 1)))),
          whileDo(
            lt(at, end),
            put(from, at),
            put(first, byteAt(at, 0)),
            put(hash, first),
            increase(at, 1),
            ifElse(
              byteAt(isWord, first),
              [whileDo(and(lt(at, end), isWordAt(at)), ...addByte), put(id, lookup(from, at, hash))],
              [
                ifElse(
                  lt(first, 0x80),
                  [
                    put(id, wordAt(singles, first)),
                    ifThen(eq(id, 0), put(id, addToken(from, at, 0)), setWord(singles, first, id)),
                  ],
                  [
                    put(id, add(from, codePointBytes(from, end))),
                    whileDo(lt(at, id), ...addByte),
                    put(id, lookup(from, at, hash)),
                  ],
                ),
              ],
            ),
            ...write(id),
          ),
          ...write(END),
          increase(url, 1),
        ),
        tokens,
      ];
    },
    { result: "i32" },
  );

  program.define("rehash", ["oldSlots", "oldLength"], ["k", "id", "hash", "slot"], (names) => {
    const { oldSlots, oldLength, k, id, hash, slot } = names;
    return [
      whileDo(
        lt(k, oldLength),
        put(id, wordAt(oldSlots, k)),
        ifThen(
          ne(id, 0),
          put(hash, wordAt(hashes, id)),
          put(slot, place(hash)),
          whileDo(ne(wordAt(slots, slot), 0), put(slot, bits(add(slot, 1), mask))),
          setWord(slots, slot, id),
        ),
        increase(k, 1),
      ),
    ];
  });
  return program.assemble();
}
