/** A session that nobody uses ends after this … */
export const idleMs = 24 * 60 * 60 * 1000;
/** … and every session after this. */
export const lifeMs = 14 * 24 * 60 * 60 * 1000;
