const licences = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'Unlicense',
  // of fonts
  'OFL-1.1',
]);
/** Weak copyleft is fine in what builds the product and is not part of it. */
const licencesOfTools = new Set([...licences, 'MPL-2.0']);

/** Whether a package with this licence, an SPDX expression, may be in the product, or in what builds it. */
export function isAllowedLicence(expression: string, use: 'product' | 'tool' = 'product'): boolean {
  const allowed = use === 'tool' ? licencesOfTools : licences;
  // "(A OR B)" leaves the choice to whoever takes it; of "A AND B" both count.
  return expression
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((each) => allowed.has(each)));
}
