/** Others open links, so that they are nothing that a browser would run. */
export function isWebAddress(link: string): boolean {
  return URL.canParse(link) && ['http:', 'https:'].includes(new URL(link).protocol);
}
