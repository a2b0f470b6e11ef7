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
