/**
 * An identifier made from a title: `Last deployed at` is `last_deployed_at`. It has only letters from a to z, digits and
 * `_`, because keys of properties may hold no others, and so may be empty for a title of another script.
 */
export function identifierFrom(title: string, most = 100): string {
  return title
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, most)
    .replaceAll(/^_+|_+$/g, '');
}

/** The identifier that was typed; until one is, that of the title. */
export function typedOr({ title, identifier }: { title: string; identifier: string | undefined }, most = 100): string {
  return identifier ?? identifierFrom(title, most);
}
