/**
 * A small WebAssembly assembler: expressions are nested calls that give the bytes of the code, like the folded form of
 * the text format. Enough for the kernels here, and no tool beyond TypeScript is needed to build or read it.
 */

export type Code = readonly number[];
/** Index of a parameter or local variable. */
export type Local = number & { readonly brand?: "local" };

export type ValueType = "i32" | "i64" | "v128";
const valueTypes: Record<ValueType, number> = { i32: 0x7f, i64: 0x7e, v128: 0x7b };

const unary =
  (...opcode: number[]) =>
  (a: Code): Code => [...a, ...opcode];
const binary =
  (...opcode: number[]) =>
  (a: Code, b: Code): Code => [...a, ...b, ...opcode];
/** Alignment is a hint; 0 (any) is right for all. */
const load =
  (...opcode: number[]) =>
  (address: Code, offset = 0): Code => [...address, ...opcode, 0, ...unsigned(offset)];
const store =
  (...opcode: number[]) =>
  (address: Code, value: Code, offset = 0): Code => [...address, ...value, ...opcode, 0, ...unsigned(offset)];
const simd = (opcode: number): number[] => [0xfd, ...unsigned(opcode)];

export const i32 = {
  const: (value: number): Code => [0x41, ...signed(BigInt(value | 0))],
  load: load(0x28),
  load8u: load(0x2d),
  load16u: load(0x2f),
  store: store(0x36),
  store8: store(0x3a),
  store16: store(0x3b),
  eq: binary(0x46),
  ne: binary(0x47),
  ltS: binary(0x48),
  ltU: binary(0x49),
  leS: binary(0x4c),
  leU: binary(0x4d),
  /** The number of zero bits below the lowest one. */
  ctz: unary(0x68),
  add: binary(0x6a),
  sub: binary(0x6b),
  mul: binary(0x6c),
  and: binary(0x71),
  or: binary(0x72),
  xor: binary(0x73),
  shl: binary(0x74),
  shrU: binary(0x76),
  wrap: unary(0xa7),
};

export const i64 = {
  const: (value: bigint): Code => [0x42, ...signed(BigInt.asIntN(64, value))],
  load: load(0x29),
  load8u: load(0x31),
  store: store(0x37),
  eq: binary(0x51),
  ne: binary(0x52),
  ltU: binary(0x54),
  add: binary(0x7c),
  sub: binary(0x7d),
  mul: binary(0x7e),
  and: binary(0x83),
  or: binary(0x84),
  xor: binary(0x85),
  shl: binary(0x86),
  shrU: binary(0x88),
  extendU: unary(0xad),
};

export const v128 = {
  load: load(...simd(0)),
  load32Splat: load(...simd(9)),
  store: store(...simd(11)),
  or: binary(...simd(80)),
  anyTrue: unary(...simd(83)),
};

export const i8x16 = {
  splat: (byte: number): Code => [...simd(12), ...new Array<number>(16).fill(byte)],
  ltU: binary(...simd(38)),
  bitmask: unary(...simd(100)),
  sub: binary(...simd(113)),
};

export const i32x4 = {
  splat: unary(...simd(17)),
  eq: binary(...simd(55)),
  add: binary(...simd(174)),
  mul: binary(...simd(181)),
  minU: binary(...simd(183)),
};

export const get = (local: Local): Code => [0x20, ...unsigned(local)];
export const set = (local: Local, value: Code): Code => [...value, 0x21, ...unsigned(local)];
/** Sets and gives the value. */
export const tee = (local: Local, value: Code): Code => [...value, 0x22, ...unsigned(local)];
export const getGlobal = (index: number): Code => [0x23, ...unsigned(index)];
export const setGlobal = (index: number, value: Code): Code => [...value, 0x24, ...unsigned(index)];
/** Leaves a function without a result. */
export const leave: Code = [0x0f];
export const returnWith = (value: Code): Code => [...value, ...leave];
/** memory.fill: a number of bytes. */
export const fillBytes = (to: Code, value: Code, bytes: Code): Code => [...to, ...value, ...bytes, 0xfc, 11, 0];
export const call = (functionIndex: number, ...args: Code[]): Code => [
  ...args.flat(),
  0x10,
  ...unsigned(functionIndex),
];

export const ifThen = (condition: Code, ...body: Code[]): Code => [...condition, 0x04, 0x40, ...body.flat(), 0x0b];
export const ifElse = (condition: Code, yes: Code[], no: Code[]): Code => [
  ...condition,
  ...[0x04, 0x40, ...yes.flat(), 0x05, ...no.flat(), 0x0b],
];
/** The condition's 1 or 0 decides which of two i32 is the value; only that one is computed. */
export const choose = (condition: Code, yes: Code, no: Code): Code => [
  ...condition,
  ...[0x04, valueTypes.i32, ...yes, 0x05, ...no, 0x0b],
];
export const whileDo = (condition: Code, ...body: Code[]): Code => [
  ...[0x02, 0x40, 0x03, 0x40], // block loop
  ...[...condition, 0x45, 0x0d, 1], // leave the block unless the condition holds
  ...[...body.flat(), 0x0c, 0, 0x0b, 0x0b], // go back to the loop
];

export interface FunctionSignature {
  readonly name: string;
  readonly parameters: readonly ValueType[];
  readonly result?: ValueType;
}

export interface FunctionDefinition extends FunctionSignature {
  readonly locals: readonly ValueType[];
  readonly body: Code;
}

/** Declares a function: `write` gets its parameters and a way to have locals, and gives the body. */
export function define(
  name: string,
  parameters: readonly ValueType[],
  result: ValueType | undefined,
  write: (parameters: readonly Local[], local: (type: ValueType) => Local) => Code[],
): FunctionDefinition {
  const locals: ValueType[] = [];
  const local = (type: ValueType): Local => parameters.length + locals.push(type) - 1;
  const indexes = parameters.map((_, index) => index);
  const body = write(indexes, local).flat();
  return { name, parameters, locals, body, ...(result !== undefined && { result }) };
}

export interface ModuleDefinition {
  /** Pages of a memory of its own, exported as "memory"; or a shared memory of any size, imported as "memory". */
  readonly memory: number | "shared";
  /** Functions that it is given, all as members of the module "imports". */
  readonly imports?: readonly FunctionSignature[];
  /** Variables of 32 bits, exported by name. */
  readonly globals?: readonly string[];
  /** Exported by name. call() counts functions from 0, the imported ones first. */
  readonly functions: readonly FunctionDefinition[];
}

export function assemble({ memory, imports = [], globals = [], functions }: ModuleDefinition): Uint8Array<ArrayBuffer> {
  const types = [...imports, ...functions].map(({ parameters, result }) => [
    0x60,
    ...vector(parameters.map((type) => [valueTypes[type]])),
    ...vector(result === undefined ? [] : [[valueTypes[result]]]),
  ]);
  const imported = imports.map(({ name }, index) => [...text("imports"), ...text(name), 0x00, ...unsigned(index)]);
  const sharedMemory = [...text("imports"), ...text("memory"), 0x02, 0x03, 0, ...unsigned(MOST_PAGES)];
  const exports = [
    ...functions.map(({ name }, index) => [...text(name), 0x00, ...unsigned(imports.length + index)]),
    ...globals.map((name, index) => [...text(name), 0x03, ...unsigned(index)]),
    ...(memory === "shared" ? [] : [[...text("memory"), 0x02, 0]]),
  ];
  const bodies = functions.map(({ locals, body }) => {
    const declared = vector(locals.map((type) => [1, valueTypes[type]]));
    const bytes = [...declared, ...body, 0x0b];
    return [...unsigned(bytes.length), ...bytes];
  });
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, types),
    ...section(2, memory === "shared" ? [...imported, sharedMemory] : imported),
    ...section(
      3,
      functions.map((_, index) => unsigned(imports.length + index)),
    ),
    ...section(5, memory === "shared" ? [] : [[0x00, ...unsigned(memory)]]),
    ...section(
      6,
      globals.map(() => [valueTypes.i32, 1, ...i32.const(0), 0x0b]),
    ),
    ...section(7, exports),
    ...section(10, bodies),
  ]);
}

/** A page has 64 KB: 4 GB. */
export const MOST_PAGES = 0x10000;

function section(id: number, entries: readonly Code[]): number[] {
  const content = vector(entries);
  return [id, ...unsigned(content.length), ...content];
}

function vector(entries: readonly Code[]): number[] {
  return [...unsigned(entries.length), ...entries.flat()];
}

function text(ascii: string): number[] {
  return vector([...ascii].map((character) => [character.charCodeAt(0)]));
}

/** LEB128 of an unsigned 32-bit number. */
function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest];
}

/** LEB128 of a signed number: the last byte's bit 6 is the sign. */
function signed(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest < -64n || rest > 63n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return [...bytes, Number(rest & 0x7fn)];
}
