/**
 * LZMA2 as in xz files, one chunk at a time (a chunk makes at most 2 MB). The package that decodes it in WebAssembly is
 * limited to dictionaries of 64 MB, and archives are packed with larger ones. The dictionary here grows with what is
 * decoded.
 */
import { grown } from "../../tables/grown.js";

const MIN_DICTIONARY_BYTES = 1 << 22;
const FIRST_DICTIONARY_BYTES = 1 << 21;
/** No chunk makes more, so none overwrites its own beginning. */
const MAX_CHUNK_BYTES = 1 << 21;

const BIT_MODEL_TOTAL = 1 << 11;
const MOVE_BITS = 5;
const SIGN = 0x80000000 | 0;

// Where each model's probabilities begin; names as in the LZMA specification.
const IS_MATCH = 0;
const IS_REP = IS_MATCH + 12 * 16;
const IS_REP_G0 = IS_REP + 12;
const IS_REP_G1 = IS_REP_G0 + 12;
const IS_REP_G2 = IS_REP_G1 + 12;
const IS_REP_0_LONG = IS_REP_G2 + 12;
const POS_SLOT = IS_REP_0_LONG + 12 * 16;
const POS_SPECIAL = POS_SLOT + 4 * 64;
const ALIGN = POS_SPECIAL + 115;
const LENGTH = ALIGN + 16;
const LENGTH_MODELS = 2 + 16 * 8 + 16 * 8 + 256;
const REP_LENGTH = LENGTH + LENGTH_MODELS;
const LITERAL = REP_LENGTH + LENGTH_MODELS;
const ALL_MODELS = LITERAL + (0x300 << 4);

export class Lzma2Decoder {
  readonly #dictionaryBytes: number;
  #dictionary: Uint8Array;
  /** Where the next byte goes, and how many bytes before it are known, both since the dictionary was reset. */
  #at = 0;
  #known = 0;
  /** Position for the models: keeps counting where #at wraps. */
  #position = 0;
  #needsReset = true;
  #needsProperties = true;

  readonly #models = new Uint16Array(ALL_MODELS);
  #state = 0;
  #rep0 = 0;
  #rep1 = 0;
  #rep2 = 0;
  #rep3 = 0;
  #literalContextBits = 0;
  #literalPositionMask = 0;
  #positionMask = 0;

  // The range decoder. As signed integers: V8 keeps those unboxed.
  #input: Uint8Array = new Uint8Array(0);
  #inputAt = 0;
  #range = 0;
  #code = 0;

  constructor(dictionaryBytes: number) {
    this.#dictionaryBytes = Math.max(dictionaryBytes, MIN_DICTIONARY_BYTES);
    this.#dictionary = new Uint8Array(Math.min(this.#dictionaryBytes, FIRST_DICTIONARY_BYTES + MAX_CHUNK_BYTES));
  }

  /** Bytes of a chunk's header, which begins with this byte; 0 at the end of the data. */
  static headerBytes(control: number): number {
    if (control === 0) return 0;
    return control < 0x80 ? 3 : control >= 0xc0 ? 6 : 5;
  }

  /** Bytes of a chunk after its header. */
  static dataBytes(header: Uint8Array): number {
    return 1 + (header[0]! < 0x80 ? header[1]! * 256 + header[2]! : header[3]! * 256 + header[4]!);
  }

  /**
   * The chunk's output, in one piece or in two where the dictionary wraps. Of a chunk whose data was cut, what can be
   * decoded comes out.
   */
  decode(header: Uint8Array, data: Uint8Array, isCut = false): Uint8Array[] {
    const control = header[0]!;
    if (control >= 0xe0 || control === 1) {
      this.#needsReset = false;
      this.#at = this.#known = this.#position = 0;
    } else if (this.#needsReset || (control > 2 && control < 0x80)) {
      throw damaged();
    }
    if (control < 0x80) return this.#output(data.length, () => this.#copyIn(data));

    if (control >= 0xc0) this.#setProperties(header[5]!);
    else if (this.#needsProperties) throw damaged();
    if (control >= 0xa0) this.#resetState();
    const length = 1 + ((control & 0x1f) << 16) + header[1]! * 256 + header[2]!;
    return this.#output(length, () => {
      try {
        this.#startRange(data);
        this.#decodeSymbols(length);
        if (this.#inputAt !== data.length) throw damaged();
      } catch (error) {
        if (!isCut) throw error;
      }
    });
  }

  #output(length: number, decode: () => void): Uint8Array[] {
    this.#makeRoom(length);
    const start = this.#at;
    decode();
    const end = this.#at;
    if (end > start) return [this.#dictionary.slice(start, end)];
    return [this.#dictionary.slice(start), this.#dictionary.slice(0, end)];
  }

  #makeRoom(length: number): void {
    const { length: size } = this.#dictionary;
    if (this.#at + length < size || size === this.#dictionaryBytes) return;
    this.#dictionary = grown(this.#dictionary, Math.min(this.#dictionaryBytes, 2 * (this.#at + length)));
  }

  #copyIn(data: Uint8Array): void {
    for (const byte of data) this.#put(byte);
  }

  #put(byte: number): void {
    this.#dictionary[this.#at++] = byte;
    if (this.#at === this.#dictionary.length) this.#at = 0;
    this.#known++;
    this.#position = (this.#position + 1) | 0;
  }

  #setProperties(byte: number): void {
    if (byte > (4 * 5 + 4) * 9 + 8) throw damaged();
    const positionBits = Math.floor(byte / 45);
    const literalPositionBits = Math.floor((byte % 45) / 9);
    this.#literalContextBits = byte % 9;
    if (this.#literalContextBits + literalPositionBits > 4) throw damaged();
    this.#literalPositionMask = (1 << literalPositionBits) - 1;
    this.#positionMask = (1 << positionBits) - 1;
    this.#needsProperties = false;
  }

  #resetState(): void {
    this.#state = this.#rep0 = this.#rep1 = this.#rep2 = this.#rep3 = 0;
    this.#models.fill(BIT_MODEL_TOTAL / 2);
  }

  #startRange(data: Uint8Array): void {
    if (data.length < 5) throw damaged();
    this.#input = data;
    this.#inputAt = 5;
    this.#range = -1;
    this.#code = (data[1]! << 24) | (data[2]! << 16) | (data[3]! << 8) | data[4]!;
  }

  #decodeSymbols(length: number): void {
    let left = length;
    while (left > 0) {
      const positionState = this.#position & this.#positionMask;
      if (this.#bit(IS_MATCH + (this.#state << 4) + positionState) === 0) {
        this.#put(this.#literal());
        this.#state = this.#state < 4 ? 0 : this.#state < 10 ? this.#state - 3 : this.#state - 6;
        left--;
        continue;
      }
      const run = this.#bit(IS_REP + this.#state) === 0 ? this.#match(positionState) : this.#repeat(positionState);
      if (run > left || this.#rep0 >>> 0 >= Math.min(this.#known, this.#dictionaryBytes)) throw damaged();
      this.#copy(this.#rep0 + 1, run);
      left -= run;
    }
    this.#normalize();
  }

  #literal(): number {
    const dictionary = this.#dictionary;
    const previous = this.#known === 0 ? 0 : dictionary[(this.#at === 0 ? dictionary.length : this.#at) - 1]!;
    const context =
      ((this.#position & this.#literalPositionMask) << this.#literalContextBits) +
      (previous >> (8 - this.#literalContextBits));
    const models = LITERAL + 0x300 * context;
    let symbol = 1;
    if (this.#state >= 7) {
      if (this.#rep0 >>> 0 >= this.#known) throw damaged();
      let from = this.#at - this.#rep0 - 1;
      if (from < 0) from += dictionary.length;
      let matched = dictionary[from]!;
      let offset = 0x100;
      while (symbol < 0x100) {
        matched <<= 1;
        const matchBit = matched & offset;
        const bit = this.#bit(models + offset + matchBit + symbol);
        symbol = (symbol << 1) | bit;
        offset &= bit === 1 ? matchBit : ~matchBit;
      }
    } else {
      while (symbol < 0x100) symbol = (symbol << 1) | this.#bit(models + symbol);
    }
    return symbol & 0xff;
  }

  /** A new distance. Gives the length. */
  #match(positionState: number): number {
    this.#rep3 = this.#rep2;
    this.#rep2 = this.#rep1;
    this.#rep1 = this.#rep0;
    const length = this.#length(LENGTH, positionState);
    this.#state = this.#state < 7 ? 7 : 10;
    const slot = this.#tree(POS_SLOT + (Math.min(length - 2, 3) << 6), 6);
    if (slot < 4) {
      this.#rep0 = slot;
      return length;
    }
    const bits = (slot >> 1) - 1;
    const base = (2 | (slot & 1)) << bits;
    this.#rep0 =
      slot < 14
        ? base + this.#reverseTree(POS_SPECIAL + base - slot, bits)
        : (base + (this.#directBits(bits - 4) << 4) + this.#reverseTree(ALIGN, 4)) | 0;
    return length;
  }

  /** One of the last four distances. Gives the length. */
  #repeat(positionState: number): number {
    const state = this.#state;
    if (this.#bit(IS_REP_G0 + state) === 0) {
      if (this.#bit(IS_REP_0_LONG + (state << 4) + positionState) === 0) {
        this.#state = state < 7 ? 9 : 11;
        return 1;
      }
    } else {
      let distance = this.#rep1;
      if (this.#bit(IS_REP_G1 + state) === 1) {
        distance = this.#rep2;
        if (this.#bit(IS_REP_G2 + state) === 1) {
          distance = this.#rep3;
          this.#rep3 = this.#rep2;
        }
        this.#rep2 = this.#rep1;
      }
      this.#rep1 = this.#rep0;
      this.#rep0 = distance;
    }
    this.#state = state < 7 ? 8 : 11;
    return this.#length(REP_LENGTH, positionState);
  }

  #length(models: number, positionState: number): number {
    if (this.#bit(models) === 0) return 2 + this.#tree(models + 2 + (positionState << 3), 3);
    if (this.#bit(models + 1) === 0) return 10 + this.#tree(models + 130 + (positionState << 3), 3);
    return 18 + this.#tree(models + 258, 8);
  }

  /** Copies from the dictionary to its end; the two may overlap, which repeats a pattern. */
  #copy(distance: number, length: number): void {
    const dictionary = this.#dictionary;
    const size = dictionary.length;
    let to = this.#at;
    let from = to - distance;
    if (from < 0) from += size;
    if (from + length < size && to + length < size) {
      if (length > 32 && distance >= length) dictionary.copyWithin(to, from, from + length);
      else for (let i = 0; i < length; i++) dictionary[to + i] = dictionary[from + i]!;
      to += length;
    } else {
      for (let i = 0; i < length; i++) {
        dictionary[to++] = dictionary[from++]!;
        if (to === size) to = 0;
        if (from === size) from = 0;
      }
    }
    this.#at = to;
    this.#known += length;
    this.#position = (this.#position + length) | 0;
  }

  #normalize(): void {
    if (this.#range >>> 24 !== 0) return;
    if (this.#inputAt >= this.#input.length) throw damaged();
    this.#range <<= 8;
    this.#code = (this.#code << 8) | this.#input[this.#inputAt++]!;
  }

  #bit(model: number): number {
    this.#normalize();
    const probability = this.#models[model]!;
    const bound = Math.imul(this.#range >>> 11, probability);
    // An unsigned comparison.
    if ((this.#code ^ SIGN) < (bound ^ SIGN)) {
      this.#range = bound;
      this.#models[model] = probability + ((BIT_MODEL_TOTAL - probability) >>> MOVE_BITS);
      return 0;
    }
    this.#range = (this.#range - bound) | 0;
    this.#code = (this.#code - bound) | 0;
    this.#models[model] = probability - (probability >>> MOVE_BITS);
    return 1;
  }

  #directBits(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++) {
      this.#normalize();
      this.#range = this.#range >>> 1;
      const isOne = (this.#code ^ SIGN) >= (this.#range ^ SIGN);
      if (isOne) this.#code = (this.#code - this.#range) | 0;
      value = (value << 1) | (isOne ? 1 : 0);
    }
    return value;
  }

  #tree(models: number, bits: number): number {
    let symbol = 1;
    for (let i = 0; i < bits; i++) symbol = (symbol << 1) | this.#bit(models + symbol);
    return symbol - (1 << bits);
  }

  #reverseTree(models: number, bits: number): number {
    let symbol = 1;
    let value = 0;
    for (let i = 0; i < bits; i++) {
      const bit = this.#bit(models + symbol);
      symbol = (symbol << 1) | bit;
      value |= bit << i;
    }
    return value;
  }
}

function damaged(): Error {
  return new Error("the xz data is damaged");
}
