/** The same random inputs in every run, so that a change is never refused for another's luck; DUSTPAN_SEED=N gives others. */
import fc from "fast-check";

const DEFAULT_SEED = 2006;
const given = process.env.DUSTPAN_SEED;
if (given !== undefined && !/^-?\d{1,9}$/.test(given)) throw new Error(`DUSTPAN_SEED=${given}: expected an integer`);
fc.configureGlobal({ seed: given === undefined ? DEFAULT_SEED : Number(given) });
