/** Idle sessions end after this. */
export const idleMs = 24 * 60 * 60 * 1000;
/** Every session ends after this. */
export const lifeMs = 14 * 24 * 60 * 60 * 1000;
