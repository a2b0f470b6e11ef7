import type { Route } from '../../platform/http/route.ts';
import type { PacksDeps } from './packs.deps.ts';
import { packRoutes } from './packs.routes.ts';
import { readPackFiles } from './read-pack-files.ts';

export interface Packs {
  readonly routes: Route[];
}

/** Without a folder there are no starter models. */
export function createPacks({
  folder,
  ...deps
}: Omit<PacksDeps, 'files'> & { readonly folder: string | undefined }): Packs {
  return { routes: packRoutes({ ...deps, files: readPackFiles(folder) }) };
}
