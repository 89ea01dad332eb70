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
  i64,
  setGlobal,
  type ValueType,
} from "./assembler.js";

export type Value = Code | number;

const code = (value: Value): Code => (typeof value === "number" ? i32.const(value) : value);
const binary = (operation: (a: Code, b: Code) => Code) => (a: Value, b: Value) => operation(code(a), code(b));

export const add = binary(i32.add);
export const sub = binary(i32.sub);
export const mul = binary(i32.mul);
export const shl = binary(i32.shl);
/** Logical: zeros come in. */
export const shr = binary(i32.shrU);
export const xor = binary(i32.xor);
export const bitAnd = binary(i32.and);
export const bitOr = binary(i32.or);
export const eq = binary(i32.eq);
export const ne = binary(i32.ne);
export const lt = binary(i32.ltS);
export const le = binary(i32.leS);
export const gt = (a: Value, b: Value): Code => lt(b, a);
export const ge = (a: Value, b: Value): Code => le(b, a);
/** The second condition is looked at only if the first does not decide. */
export const and = (a: Value, b: Value): Code => choose(code(a), code(b), i32.const(0));
export const or = (a: Value, b: Value): Code => choose(code(a), i32.const(1), code(b));
export const pick = (condition: Code, yes: Value, no: Value): Code => choose(condition, code(yes), code(no));
export const min = (a: Code, b: Code): Code => pick(lt(a, b), a, b);
export const max = (a: Code, b: Code): Code => pick(lt(a, b), b, a);

/** `set` of a variable: of its reading code only the first byte differs. */
export const let_ = (variable: Code, value: Value): Code => {
  const [reading, ...index] = variable;
  return [...code(value), reading === READ_GLOBAL ? WRITE_GLOBAL : WRITE_LOCAL, ...index];
};
const READ_GLOBAL = getGlobal(0)[0]!;
const WRITE_GLOBAL = setGlobal(0, [])[0]!;
const WRITE_LOCAL = 0x21;
