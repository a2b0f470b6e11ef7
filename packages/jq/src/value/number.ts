const largest = Number.MAX_VALUE;

/**
 * A number as jq 1.7 prints a computed double: 17 significant digits at most, shortest that reads back, exponent
 * form from 1e-5 down or more than 15 places behind the digits; NaN is
 * `null`, infinities are the largest double (jq's `jvp_dtoa_fmt` and `jv_dump_term`).
 */
export function formatNumber(value: number): string {
  if (Number.isInteger(value) && value < 1e17 && value > -1e17) {
    if (value === 0) return Object.is(value, -0) ? '-0' : '0';
    if (value < 1e15 && value > -1e15) return String(value);
  }
  if (Number.isNaN(value)) return 'null';
  if (value > largest) return formatDigits(largest);
  if (value < -largest) return `-${formatDigits(largest)}`;
  return value < 0 ? `-${formatDigits(-value)}` : formatDigits(value);
}

function formatDigits(value: number): string {
  const [mantissa, exponentText] = value.toExponential().split('e') as [string, string];
  const digits = mantissa.replace('.', '');
  const point = Number(exponentText) + 1;
  if (point <= -4 || point > digits.length + 15) {
    const exponent = point - 1;
    const size = Math.abs(exponent);
    const shown = size < 10 ? `0${size}` : String(size);
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
    return `${digits[0]}${fraction}e${exponent < 0 ? '-' : '+'}${shown}`;
  }
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return digits + '0'.repeat(point - digits.length);
  return `${digits.slice(0, point)}.${digits.slice(point)}`;
}
