/**
 * A shorter notation over the assembler, for programs on 32-bit numbers: a variable is the code that reads it, a plain number
 * is a constant, and functions, their parameters and variables have names. Comparisons are signed.
 */
import {
  assemble,
  type Code,
  call,
  choose,
  type FunctionDefinition,
  type FunctionSignature,
  get,
  getGlobal,
  i32,
  setGlobal,
  type ValueType,
} from "./assembler.js";

export type Value = Code | number;

const codeOf = (value: Value): Code => (typeof value === "number" ? i32.const(value) : value);
const binary = (operation: (a: Code, b: Code) => Code) => (a: Value, b: Value) => operation(codeOf(a), codeOf(b));

export const add = binary(i32.add);
export const sub = binary(i32.sub);
export const mul = binary(i32.mul);
export const shl = binary(i32.shl);
/** Zeros come in from the left. */
export const shr = binary(i32.shrU);
export const xor = binary(i32.xor);
export const bits = binary(i32.and);
export const eq = binary(i32.eq);
export const ne = binary(i32.ne);
export const lt = binary(i32.ltS);
export const le = binary(i32.leS);
export const gt = (a: Value, b: Value): Code => lt(b, a);
export const ge = (a: Value, b: Value): Code => le(b, a);
/** The second condition is looked at only where the first does not decide. */
export const and = (a: Code, b: Code): Code => choose(a, b, i32.const(0));
export const or = (a: Code, b: Code): Code => choose(a, i32.const(1), b);
export const pick = (condition: Code, yes: Value, no: Value): Code => choose(condition, codeOf(yes), codeOf(no));

/** Element `index` of an array of bytes or of 32-bit numbers that begins at an address. */
export const byteAt = (array: Code, index: Value): Code => i32.load8u(add(array, index));
export const wordAt = (array: Code, index: Value): Code => i32.load(add(array, shl(index, 2)));
export const setByte = (array: Code, index: Value, value: Value): Code => i32.store8(add(array, index), codeOf(value));
export const setWord = (array: Code, index: Value, value: Value): Code =>
  i32.store(add(array, shl(index, 2)), codeOf(value));

/** Gives a variable a value. Writing differs from reading in the first byte only. */
export function put(variable: Code, value: Value): Code {
  const [reading, ...index] = variable;
  return [...codeOf(value), reading === GET_GLOBAL ? SET_GLOBAL : SET_LOCAL, ...index];
}
const GET_GLOBAL = getGlobal(0)[0]!;
const SET_GLOBAL = setGlobal(0, [])[0]!;
const SET_LOCAL = 0x21;

export const increase = (variable: Code, by: Value): Code => put(variable, add(variable, by));

/** Calls a function with arguments. */
export type Caller = (...args: Value[]) => Code;
type Named<Names extends readonly string[]> = Readonly<Record<Names[number], Code>>;

export class Program {
  readonly #imports: FunctionSignature[] = [];
  readonly #globals: string[] = [];
  readonly #functions: FunctionDefinition[] = [];

  /** A variable of the whole program, which the outside can set. */
  globals<const Names extends readonly string[]>(...names: Names): Named<Names> {
    const entries = names.map((name) => [name, getGlobal(this.#globals.push(name) - 1)]);
    return Object.fromEntries(entries) as Named<Names>;
  }

  /** A function from outside, with this many parameters. Imports come before functions. */
  import(name: string, parameters: number, result?: ValueType): Caller {
    this.#imports.push({ name, parameters: words(parameters), ...(result !== undefined && { result }) });
    return this.#caller(this.#imports.length - 1);
  }

  /** A function without a result, or with the value of its last statement; `body` may call itself. */
  define<const Parameters extends readonly string[], const Locals extends readonly string[]>(
    name: string,
    parameters: Parameters,
    locals: Locals,
    body: (names: Named<Parameters> & Named<Locals>, self: Caller) => readonly Code[],
    types: { readonly result?: ValueType; readonly wide?: readonly Locals[number][] } = {},
  ): Caller {
    const entries = [...parameters, ...locals].map((local, index) => [local, get(index)]);
    const self = this.#caller(this.#imports.length + this.#functions.length);
    const { result, wide = [] } = types;
    this.#functions.push({
      name,
      parameters: words(parameters.length),
      locals: locals.map((local) => (wide.includes(local) ? "i64" : "i32")),
      body: body(Object.fromEntries(entries), self).flat(),
      ...(result !== undefined && { result }),
    });
    return self;
  }

  assemble(): Uint8Array<ArrayBuffer> {
    return assemble({
      memory: "shared",
      imports: this.#imports,
      globals: this.#globals,
      functions: this.#functions,
    });
  }

  #caller(index: number): Caller {
    return (...args) => call(index, ...args.map(codeOf));
  }
}

function words(count: number): ValueType[] {
  return new Array<ValueType>(count).fill("i32");
}
