import { mayDefineApi } from './files/api-definition.ts';
import { compileGlob, type PathPattern } from './files/path-pattern.ts';
import type { GitSettings } from './git-settings.ts';

/** Which paths of a repository are worth reading, compiled once for all of them. */
export interface WantedFiles {
  readonly isPortFile: PathPattern;
  readonly isCatalogInfo: PathPattern;
  readonly isApiDefinition: PathPattern;
  readonly isFolder: PathPattern;
  readonly isShown: PathPattern;
}

export function compileWanted(settings: GitSettings): WantedFiles {
  const any = (globs: readonly string[]): PathPattern => {
    const patterns = globs.map(compileGlob);
    return (path) => patterns.some((pattern) => pattern(path));
  };
  return {
    isPortFile: any(settings.portFiles),
    isCatalogInfo: any(settings.catalogInfo),
    isApiDefinition: settings.apiDefinitions ? mayDefineApi : () => false,
    isFolder: any(settings.folders),
    isShown: any(settings.files),
  };
}
