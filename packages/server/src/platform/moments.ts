import sql, { type Sql } from 'sql-template-tag';

const leapYear = '([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)';
const date =
  '([0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))' +
  `|${leapYear}-02-29)`;
const time = '([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,30})?)?';
/** PostgreSQL knows no offset of 16 hours or more, and no year 0. */
const offset = '([Zz]|[+-](0[0-9]|1[0-5]):?[0-5][0-9])';

/** Text that can be cast to a moment: one that cannot would fail the whole statement, wherever it is stored. */
const momentPattern = `^(?!0000)${date}[Tt ]${time}${offset}$`;

/** A text as a moment, null where it is none; never fails. */
export function momentOfText(text: Sql): Sql {
  return sql`case when ${text} ~ ${momentPattern} then (${text})::timestamptz end`;
}

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
