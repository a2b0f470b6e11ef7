import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

type Rgb = readonly [number, number, number];
type Tokens = ReadonlyMap<string, string>;

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');

/** The variables of the rules with exactly this selector, which stand outside of media rules. */
function variablesOf(selector: string): Tokens {
  const rules = [...css.matchAll(/^([^\s@}/][^{}]*)\{([^{}]*)\}/gm)];
  const found = rules.filter(([, each]) => each?.trim() === selector);
  if (found.length === 0) throw new Error(`tokens.css has no rule ${selector}`);
  return new Map(
    found.flatMap(([, , body]) => [...(body ?? '').matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, a, b]) => [a, b])) as [
      string,
      string,
    ][],
  );
}

const light = variablesOf('html:root');
const dark = new Map([...light, ...variablesOf('html:root[data-mantine-color-scheme="dark"]')]);
const strong = (scheme: string) =>
  variablesOf(`html:root[data-contrast="more"][data-mantine-color-scheme="${scheme}"]`);
const schemes: readonly [name: string, tokens: Tokens, textLeast: number][] = [
  ['light', light, 4.5],
  ['dark', dark, 4.5],
  ['strong light', new Map([...light, ...strong('light')]), 7],
  ['strong dark', new Map([...dark, ...strong('dark')]), 7],
];

function rgb(tokens: Tokens, name: string): Rgb {
  const hex = /^#([0-9a-f]{6})$/i.exec(tokens.get(name) ?? '')?.[1];
  if (!hex) throw new Error(`${name} is no colour: ${tokens.get(name)}`);
  return [0, 2, 4].map((at) => linear(Number.parseInt(hex.slice(at, at + 2), 16) / 255)) as unknown as Rgb;
}

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
}

/** WCAG 2.2: from 1 to 21. */
function contrast(one: Rgb, other: Rgb): number {
  const [a, b] = [one, other].map(([r, g, blue]) => 0.2126 * r + 0.7152 * g + 0.0722 * blue) as [number, number];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** How people see colours, at full severity (Machado, Oliveira and Fernandes, 2009). */
const sights: Readonly<Record<string, readonly (readonly [number, number, number])[]>> = {
  'all cones': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function seen([r, g, b]: Rgb, sight: string): Rgb {
  const within = (value: number) => Math.min(1, Math.max(0, value));
  return (sights[sight] ?? []).map(([x, y, z]) => within(x * r + y * g + z * b)) as unknown as Rgb;
}

/** OKLab, by a hundred. */
function oklab([r, g, b]: Rgb): Rgb {
  const [l, m, s] = [
    0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b,
    0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b,
    0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b,
  ].map(Math.cbrt) as [number, number, number];
  return [
    100 * (0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s),
    100 * (1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s),
    100 * (0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s),
  ];
}

function distance(one: Rgb, other: Rgb): number {
  const [a, b] = [oklab(one), oklab(other)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

const series = [1, 2, 3, 4, 5, 6].map((each) => `--series-${each}`);
const surfaces = ['--canvas', '--surface', '--raised', '--sunken'];

describe.each(schemes)('%s', (_, tokens, textLeast) => {
  const weakest = (names: readonly string[], grounds: readonly string[]) =>
    names
      .flatMap((name) =>
        grounds.map((ground) => [contrast(rgb(tokens, name), rgb(tokens, ground)), `${name} on ${ground}`] as const),
      )
      .toSorted(([one], [other]) => one - other)[0];

  test('text can be read on every surface', () => {
    const names = ['--text', '--muted', '--faint', '--accent-text', '--success', '--danger', '--info', '--warning'];
    const [least, where] = weakest(names, surfaces) ?? [0];
    expect(least, where).toBeGreaterThanOrEqual(textLeast);
  });

  test('text can be read on its own ground', () => {
    for (const name of ['success', 'danger', 'info', 'warning'])
      expect(contrast(rgb(tokens, `--${name}`), rgb(tokens, `--${name}-subtle`)), name).toBeGreaterThanOrEqual(4.5);
    expect(contrast(rgb(tokens, '--on-accent'), rgb(tokens, '--accent'))).toBeGreaterThanOrEqual(4.5);
  });

  test('edges of what takes input, the focus and the series stand out', () => {
    const [least, where] = weakest(['--border-strong', '--focus', ...series], ['--surface']) ?? [0];
    expect(least, where).toBeGreaterThanOrEqual(3);
  });

  test.each(Object.keys(sights))('with %s any two series differ', (sight) => {
    for (const [index, one] of series.entries()) {
      for (const other of series.slice(index + 1)) {
        const apart = distance(seen(rgb(tokens, one), sight), seen(rgb(tokens, other), sight));
        expect(apart, `${one} and ${other}`).toBeGreaterThanOrEqual(9);
      }
    }
  });
});
