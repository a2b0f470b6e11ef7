/** Functions of the C library that JavaScript lacks. Results agree with C to about 15 digits. */

const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** ln |Γ(x)| by Lanczos' approximation (g = 7, n = 9). */
export function logGamma(value: number): number {
  if (value <= 0 && Number.isInteger(value)) return Number.POSITIVE_INFINITY;
  if (!Number.isFinite(value)) return Math.abs(value);
  if (value === 1 || value === 2) return 0;
  if (value < 0.5) return Math.log(Math.PI / Math.abs(Math.sin(Math.PI * value))) - logGamma(1 - value);
  const x = value - 1;
  const t = x + 7.5;
  let sum = lanczos[0]!;
  for (let at = 1; at < lanczos.length; at++) sum += lanczos[at]! / (x + at);
  return 0.5 * Math.log(2 * Math.PI) + (x + 0.5) * Math.log(t) - t + Math.log(sum);
}

export function gammaSign(value: number): number {
  return value < 0 && Math.floor(value) % 2 !== 0 ? -1 : 1;
}

export function trueGamma(value: number): number {
  if (value === 0) return 1 / value;
  if (value < 0 && Number.isInteger(value)) return Number.NaN;
  if (Number.isInteger(value) && value < 171) {
    let product = 1;
    for (let factor = 2; factor < value; factor++) product *= factor;
    return product;
  }
  return gammaSign(value) * Math.exp(logGamma(value));
}

/** A number as `m * 2^e` with `0.5 <= |m| < 1`. */
export function frexp(value: number): [mantissa: number, exponent: number] {
  if (value === 0 || !Number.isFinite(value)) return [value, 0];
  let exponent = Math.max(-1023, Math.floor(Math.log2(Math.abs(value))) + 1);
  let mantissa = value * 2 ** -exponent;
  while (Math.abs(mantissa) < 0.5) {
    mantissa *= 2;
    exponent--;
  }
  while (Math.abs(mantissa) >= 1) {
    mantissa /= 2;
    exponent++;
  }
  return [mantissa, exponent];
}

export function nextAfter(from: number, to: number): number {
  if (Number.isNaN(from) || Number.isNaN(to)) return Number.NaN;
  if (from === to) return to;
  if (from === 0) return to > 0 ? Number.MIN_VALUE : -Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, from);
  const away = from < to === from > 0;
  view.setBigInt64(0, view.getBigInt64(0) + (away ? 1n : -1n));
  return view.getFloat64(0);
}

/** Ties round to even, the default of the C library. */
export function roundToEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest < 0.5) return floor;
  const rounded = rest > 0.5 || floor % 2 !== 0 ? floor + 1 : floor;
  return rounded === 0 && value < 0 ? -0 : rounded;
}

/** The error function: its series near zero, otherwise one minus the complement. */
export function errorFunction(value: number): number {
  if (!(Math.abs(value) < 2)) return value < 0 ? errorComplement(-value) - 1 : 1 - errorComplement(value);
  let term = value;
  let sum = value;
  for (let n = 1; Math.abs(term) > 1e-18 * Math.abs(sum); n++) {
    term *= (2 * value * value) / (2 * n + 1);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-value * value) * sum;
}

/** 1 - erf, by a continued fraction where the subtraction would lose digits. */
export function errorComplement(value: number): number {
  if (value < 2) return 1 - errorFunction(value);
  let fraction = 0;
  for (let k = 120; k > 0; k--) fraction = k / 2 / (value + fraction);
  return Math.exp(-value * value) / Math.sqrt(Math.PI) / (value + fraction);
}

/** Bessel's J by its integral over one period, where the trapezoid rule converges faster than any power. */
export function besselJ(order: number, value: number): number {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? value : 0;
  // This far above the argument the value is below 1e-50, and the sum would alias to a lower order.
  if (Math.abs(order) > 2 * Math.abs(value) + 300) return 0;
  const points = Math.min(4_000, 64 + Math.ceil(Math.abs(value) + Math.abs(order)) * 2);
  let sum = 0;
  for (let at = 0; at < points; at++) {
    const angle = (2 * Math.PI * (at + 0.5)) / points;
    sum += Math.cos(order * angle - value * Math.sin(angle));
  }
  return sum / points;
}

const euler = 0.5772156649015329;

/** Bessel's Y by its integral representation, with a rule that handles the logarithm at the end of the interval. */
export function besselY(order: 0 | 1, value: number): number {
  if (value === 0) return Number.NEGATIVE_INFINITY;
  if (!(value > 0)) return Number.NaN;
  if (value === Number.POSITIVE_INFINITY) return 0;
  const integrand = (angle: number): number => {
    const x = value * Math.cos(angle);
    const logarithm = euler + Math.log(2 * value * Math.sin(angle) ** 2);
    return order === 0 ? Math.cos(x) * logarithm : Math.sin(x) * Math.cos(angle) * logarithm - Math.cos(x) / value;
  };
  return (4 / Math.PI ** 2) * doubleExponential(integrand, Math.PI / 2);
}

/** The integral from 0 to `end` by the tanh-sinh rule. */
function doubleExponential(integrand: (at: number) => number, end: number): number {
  const step = 1 / 64;
  let sum = 0;
  for (let k = -260; k <= 260; k++) {
    const t = k * step;
    const u = (Math.PI / 2) * Math.sinh(t);
    const weight = ((Math.PI / 2) * Math.cosh(t)) / Math.cosh(u) ** 2;
    const at = end / (1 + Math.exp(-2 * u));
    if (weight > 1e-300 && at > 0 && at < end) sum += weight * integrand(at);
  }
  return (sum * step * end) / 2;
}

/** Bessel's Y of any order, by recurrence from the first two; `step` is called for every order. */
export function besselYOf(order: number, value: number, step: () => void): number {
  const size = Math.abs(order);
  if (size === 0) return besselY(0, value);
  let [below, at] = [besselY(0, value), besselY(1, value)];
  for (let k = 1; k < size && Number.isFinite(at); k++) {
    step();
    [below, at] = [at, ((2 * k) / value) * at - below];
  }
  return order < 0 && size % 2 === 1 ? -at : at;
}
