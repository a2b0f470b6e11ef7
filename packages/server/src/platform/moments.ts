/** A moment of a rule: what the contract lets through, UTC where it has no offset. Undefined for other text. */
export function parseMoment(text: string): Date | undefined {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const hasOffset = /([Zz]|[+-]\d{2}:?\d{2})$/.test(text);
  if (!isDay && !/^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}/.test(text)) return undefined;
  const at = new Date(isDay ? `${text}T00:00:00Z` : hasOffset ? text : `${text}Z`);
  const isKnown = !Number.isNaN(at.getTime()) && at.getUTCFullYear() >= 0 && at.getUTCFullYear() <= 9999;
  return isKnown ? at : undefined;
}

const dayMs = 24 * 60 * 60 * 1000;

/** The day, as text, that moments from `at` on begin with at the earliest: the date written may be one day off UTC. */
export function dayBefore(at: Date): string | undefined {
  return dayText(new Date(at.getTime() - dayMs));
}

/** The day, as text, before which moments until `at` begin. */
export function dayAfterNext(at: Date): string | undefined {
  return dayText(new Date(at.getTime() + 2 * dayMs));
}

function dayText(at: Date): string | undefined {
  const text = at.toISOString();
  return /^\d{4}-/.test(text) ? text.slice(0, 10) : undefined;
}
