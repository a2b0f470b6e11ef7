/** What a favorite points to, as it is stored: rows, so that it follows what is renamed. */
export type FavoriteTarget =
  | { readonly kind: 'page' | 'action'; readonly key: number }
  | { readonly kind: 'entity' | 'agent'; readonly key: number; readonly blueprintKey: number };
