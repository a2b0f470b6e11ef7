import { defaultStringifySearch, type RegisteredRouter } from '@tanstack/react-router';

type Routes = RegisteredRouter['routesByPath'];
type Types<Path extends keyof Routes> = Routes[Path]['types'];

export type Path = keyof Routes;
export type SearchOf<To extends Path> = Types<To>['fullSearchSchema'];
/** The name of a parameter of any path. */
export type ParamName = { [To in Path]: keyof Types<To>['allParams'] & string }[Path];
export type PlainPath = { [To in Path]: keyof Types<To>['allParams'] extends never ? To : never }[Path];

/** A link as data: a screen's path, parameters and search. */
export type LinkTarget =
  | { readonly to: PlainPath; readonly params?: never; readonly search?: never }
  | { [To in Path]: LinkTo<To> }[Exclude<Path, PlainPath>];

interface LinkTo<To extends Path> {
  readonly to: To;
  readonly params: Types<To>['allParams'];
  readonly search?: SearchOf<To>;
}

/** The address of a target, as the router would write it, without needing the router. */
export function buildHref({ to, params = {}, search = {} }: LinkTarget): string {
  const values: Readonly<Record<string, string | undefined>> = params;
  const path = to.replaceAll(/\$(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  return `${path}${defaultStringifySearch(search)}`;
}
