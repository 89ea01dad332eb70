/** There are few rounds, and they are slow: with a seed of their own it is not left to chance that there is something to compare. */
export const SEED = 13;
