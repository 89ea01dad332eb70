/** What a list knows about two URLs: their documents differ, nothing is known, or they agree. The kernel reads this file too. */
export const UNLIKELY = 0;
export const UNKNOWN = 1;
export const CONFIRMED = 2;
