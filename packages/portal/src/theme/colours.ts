/** The colours that the model can name: background, text and solid, light first, then dark. */
export const namedColours = {
  blue: ['#E3EEFF', '#1A4B9B', '#2F6FDB', '#14284A', '#9CC3FF', '#5B9BFF'],
  turquoise: ['#DDF5F4', '#0F5C5A', '#158783', '#0F3332', '#7FE0DA', '#35B8B1'],
  orange: ['#FFEBDB', '#8A3D06', '#C55A11', '#3B2110', '#FFB683', '#E8843F'],
  purple: ['#F0E8FF', '#5B2AA5', '#8250DF', '#28194A', '#CDB2FF', '#A47BF5'],
  pink: ['#FFE5F3', '#94185F', '#CC3387', '#3C142A', '#FFA3D1', '#EC5FA8'],
  yellow: ['#FFF6CF', '#6B5200', '#9A7700', '#352B06', '#F5D96B', '#D1AE2C'],
  green: ['#E0F6E4', '#1B5E2B', '#2B8A45', '#12331B', '#8FE0A0', '#46B564'],
  red: ['#FFE6E4', '#9B1F1A', '#D23730', '#3F1816', '#FFA9A3', '#F2655D'],
  darkGray: ['#DFE2E8', '#343B47', '#59616F', '#2B313B', '#D3D9E2', '#97A1B0'],
  lightGray: ['#F1F3F6', '#515A68', '#7B8494', '#20252D', '#B5BDCA', '#778192'],
  bronze: ['#F6E8DF', '#74421F', '#A5653A', '#33231A', '#E3B496', '#BD8259'],
  gold: ['#FBEFD0', '#6E4E05', '#9C7210', '#37290B', '#F0CB73', '#C79C38'],
  silver: ['#E8ECF2', '#445064', '#6C7990', '#252B36', '#C3CDDC', '#8492A8'],
  paleBlue: ['#EAF6FD', '#205A7A', '#3C8BB5', '#13303F', '#A6DCF6', '#6FBCE3'],
  lime: ['#EEF7D5', '#475C0B', '#6C8712', '#28330B', '#C5E478', '#97BC3A'],
  olive: ['#F1F1DA', '#54541A', '#7E7E2B', '#2E2E13', '#D6D592', '#A9A857'],
  brown: ['#F1E6DF', '#633E2A', '#8C5B41', '#2E221B', '#D9B7A2', '#A98066'],
} as const satisfies Record<string, readonly [string, string, string, string, string, string]>;

export type ColourName = keyof typeof namedColours;

/** The colour a name of the model means; one that is not known is dark gray. */
export function colourNamed(name: string | undefined): ColourName {
  return name !== undefined && Object.hasOwn(namedColours, name) ? (name as ColourName) : 'darkGray';
}

/** CSS values of a named colour; they follow the scheme by themselves. */
export function colourValues(name: string | undefined): { background: string; text: string; solid: string } {
  const [lightGround, lightText, lightSolid, darkGround, darkText, darkSolid] = namedColours[colourNamed(name)];
  return {
    background: `light-dark(${lightGround}, ${darkGround})`,
    text: `light-dark(${lightText}, ${darkText})`,
    solid: `light-dark(${lightSolid}, ${darkSolid})`,
  };
}
