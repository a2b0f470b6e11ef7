export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string };
