/** Entities or records that are looked at for one page: each costs look-ups in the whole journal. */
export const lookedAtMax = 2_000;
const stepMax = 500;

/** How many to look at next for a page of `limit`: of those before, as many counted as will of all. */
export function nextStep(limit: number, found: number, lookedAt: number): number {
  const missing = limit - found;
  const expected = found === 0 ? 4 * lookedAt : Math.ceil((1.2 * missing * lookedAt) / found);
  return Math.min(stepMax, lookedAtMax - lookedAt, Math.max(50, missing, expected));
}
