/** Formats that are dates or times by their number. */
const dateFormats: readonly (readonly [from: number, to: number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
];

/** Whether a number of this format is shown as a date or a time. */
export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return dateFormats.some(([from, to]) => id >= from && id <= to);
  // quoted texts, escaped letters, and colours or conditions in brackets are no parts of a date
  const plain = code.replace(/"[^"]*"|\\.|_.|\*./g, '').replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '');
  return /[dmyhs]/i.test(plain.split(';', 1)[0]?.replace(/general/i, '') ?? '');
}

const dayMs = 86_400_000;
const daysTo1970 = { 1900: 25_569, 1904: 24_107 } as const;

/** The date of a serial number as ISO text; a number below a day is a time. Undefined for none that Excel shows. */
export function readSerial(serial: number, epoch: 1900 | 1904): string | undefined {
  if (serial < 0 || serial >= 2_958_466) return undefined;
  if (serial < 1 && epoch === 1900) return new Date(Math.round(serial * dayMs)).toISOString().slice(11, 19);
  // Excel has a 29 February 1900, which was none
  const days = epoch === 1900 && serial < 60 ? serial + 1 : serial;
  const date = new Date(Math.round((days - daysTo1970[epoch]) * 86_400) * 1000).toISOString();
  return date.endsWith('T00:00:00.000Z') ? date.slice(0, 10) : date;
}
