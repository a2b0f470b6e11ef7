import { raiseAbout } from '../evaluate/raise.ts';
import type { JqValue } from '../value/value.ts';
import {
  besselJ,
  besselY,
  besselYOf,
  errorComplement,
  errorFunction,
  frexp,
  gammaSign,
  logGamma,
  nextAfter,
  roundToEven,
  trueGamma,
} from './special-functions.ts';
import { type CallForms, valueForms } from './value-builtin.ts';

type Entry = readonly [name: string, arity: number, forms: CallForms];

function requireNumber(value: JqValue): number {
  if (typeof value !== 'number') throw raiseAbout(value, 'number required');
  return value;
}

function unary(name: string, compute: (value: number) => JqValue): Entry {
  return [name, 0, valueForms((_run, input) => compute(requireNumber(input)))];
}

/** False for non-numbers. */
function predicate(name: string, test: (value: number) => boolean): Entry {
  return [name, 0, valueForms((_run, input) => typeof input === 'number' && test(input))];
}

function binary(name: string, compute: (left: number, right: number) => JqValue): Entry {
  return [name, 2, valueForms((_run, _input, left, right) => compute(requireNumber(left!), requireNumber(right!)))];
}

/** Integer powers are parsed as literals, which gives the nearest double; `**` is sometimes off by one digit. */
const powerOfTen = (value: number): number =>
  Number.isInteger(value) && Math.abs(value) < 400 ? Number(`1e${value}`) : 10 ** value;

const roundAway = (value: number): number => Math.sign(value) * Math.floor(Math.abs(value) + 0.5);

/** The exponent `floor(log2(|x|))`, exactly. */
function readExponent(value: number): number {
  if (value === 0) return Number.NEGATIVE_INFINITY;
  return Number.isFinite(value) ? frexp(value)[1] - 1 : Math.abs(value);
}

const scale = (value: number, exponent: number): number => {
  const whole = Math.trunc(exponent);
  const half = Math.trunc(whole / 2);
  return value * 2 ** half * 2 ** (whole - half);
};

/** IEEE remainder: the rest after the nearest integer quotient. */
function ieeeRemainder(left: number, right: number): number {
  if (!Number.isFinite(left) || right === 0) return Number.NaN;
  if (!Number.isFinite(right)) return left;
  const size = Math.abs(right);
  let rest = Math.abs(left) % (size * 2);
  if (rest >= size * 1.5) rest -= size * 2;
  else if (rest > size / 2) rest -= size;
  return left < 0 ? -rest : rest;
}

/** The C functions that jq exposes (manual, "Math"), and predicates on numbers. */
export const numberBuiltins: readonly Entry[] = [
  unary('floor', Math.floor),
  unary('ceil', Math.ceil),
  unary('round', (value) => (Number.isInteger(value) ? value : roundAway(value))),
  unary('trunc', Math.trunc),
  unary('rint', roundToEven),
  unary('nearbyint', roundToEven),
  unary('fabs', Math.abs),
  unary('sqrt', Math.sqrt),
  unary('cbrt', Math.cbrt),
  unary('exp', Math.exp),
  unary('exp2', (value) => 2 ** value),
  unary('exp10', powerOfTen),
  unary('pow10', powerOfTen),
  unary('expm1', Math.expm1),
  unary('log', Math.log),
  unary('log2', Math.log2),
  unary('log10', Math.log10),
  unary('log1p', Math.log1p),
  unary('sin', Math.sin),
  unary('cos', Math.cos),
  unary('tan', Math.tan),
  unary('asin', Math.asin),
  unary('acos', Math.acos),
  unary('atan', Math.atan),
  unary('sinh', Math.sinh),
  unary('cosh', Math.cosh),
  unary('tanh', Math.tanh),
  unary('asinh', Math.asinh),
  unary('acosh', Math.acosh),
  unary('atanh', Math.atanh),
  unary('significand', (value) => (value === 0 || !Number.isFinite(value) ? value : frexp(value)[0] * 2)),
  unary('logb', readExponent),
  unary('gamma', logGamma),
  unary('lgamma', logGamma),
  unary('tgamma', trueGamma),
  unary('lgamma_r', (value) => [logGamma(value), gammaSign(value)]),
  unary('frexp', (value) => frexp(value)),
  unary('modf', (value) => [Math.abs(value) === Number.POSITIVE_INFINITY ? 0 / value : value % 1, Math.trunc(value)]),
  unary('j0', (value) => besselJ(0, value)),
  unary('j1', (value) => besselJ(1, value)),
  unary('y0', (value) => besselY(0, value)),
  unary('y1', (value) => besselY(1, value)),
  unary('erf', errorFunction),
  unary('erfc', errorComplement),
  binary('jn', (order, value) => besselJ(Math.trunc(order), value)),
  [
    'yn',
    2,
    valueForms((run, _input, order, value) =>
      besselYOf(Math.trunc(requireNumber(order!)), requireNumber(value!), () => run.step()),
    ),
  ],
  binary('pow', (left, right) =>
    left === 1 || (left === -1 && !Number.isFinite(right) && !Number.isNaN(right)) ? 1 : left ** right,
  ),
  binary('atan2', Math.atan2),
  binary('fmod', (left, right) => left % right),
  binary('fmin', (left, right) => (Number.isNaN(left) ? right : Number.isNaN(right) ? left : Math.min(left, right))),
  binary('fmax', (left, right) => (Number.isNaN(left) ? right : Number.isNaN(right) ? left : Math.max(left, right))),
  binary('fdim', (left, right) =>
    left > right ? left - right : Number.isNaN(left) || Number.isNaN(right) ? Number.NaN : 0,
  ),
  binary('hypot', Math.hypot),
  binary('copysign', (left, right) => (right < 0 || Object.is(right, -0) ? -Math.abs(left) : Math.abs(left))),
  binary('drem', ieeeRemainder),
  binary('remainder', ieeeRemainder),
  binary('ldexp', scale),
  binary('scalb', scale),
  binary('scalbln', scale),
  binary('nextafter', nextAfter),
  binary('nexttoward', nextAfter),
  ['fma', 3, valueForms((_run, _input, a, b, c) => requireNumber(a!) * requireNumber(b!) + requireNumber(c!))],
  ['infinite', 0, valueForms(() => Number.POSITIVE_INFINITY)],
  ['nan', 0, valueForms(() => Number.NaN)],
  predicate('isinfinite', (value) => Math.abs(value) === Number.POSITIVE_INFINITY),
  predicate('isnan', Number.isNaN),
  predicate('isnormal', (value) => Number.isFinite(value) && Math.abs(value) >= 2.2250738585072014e-308),
  predicate('isfinite', (value) => Math.abs(value) !== Number.POSITIVE_INFINITY),
  ['have_decnum', 0, valueForms(() => false)],
  ['have_literal_numbers', 0, valueForms(() => true)],
];
