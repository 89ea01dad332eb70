/** The papers' parameters, as the command line has them. */
export const miningDefaults = {
  likely: "auto",
  sketchMatches: 4,
  maxTokens: 35,
  lowBucket: 6,
  highBucket: 11,
  minSupport: 3,
  maxRelativeDeficiency: 0.05,
  maxAbsoluteDeficiency: 1,
  maxWindow: 1100,
  plan: "ours",
};
