import { defaultStringifySearch, type RegisteredRouter } from '@tanstack/react-router';

type Routes = RegisteredRouter['routesByPath'];
type Types<Path extends keyof Routes> = Routes[Path]['types'];

/** The path of a screen, such as `/runs/$run`. */
export type Path = keyof Routes;
export type SearchOf<To extends Path> = Types<To>['fullSearchSchema'];
/** The name of a parameter of some path. */
export type ParamName = { [To in Path]: keyof Types<To>['allParams'] & string }[Path];
/** A path without parameters. */
export type PlainPath = { [To in Path]: keyof Types<To>['allParams'] extends never ? To : never }[Path];

/** A link as data: the path of a screen, its parameters and its search. */
export type LinkTarget =
  | { readonly to: PlainPath; readonly params?: never; readonly search?: never }
  | { [To in Path]: LinkTo<To> }[Exclude<Path, PlainPath>];

interface LinkTo<To extends Path> {
  readonly to: To;
  readonly params: Types<To>['allParams'];
  readonly search?: SearchOf<To>;
}

/** The address of a target as the router writes it, without asking the router. */
export function buildHref({ to, params = {}, search = {} }: LinkTarget): string {
  const values: Readonly<Record<string, string | undefined>> = params;
  const path = to.replaceAll(/\$(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  return `${path}${defaultStringifySearch(search)}`;
}
