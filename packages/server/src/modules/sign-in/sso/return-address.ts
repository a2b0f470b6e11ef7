import { invalidRequest } from '../../../platform/errors.ts';

/**
 * A path of the portal to return to after signing in. Refuses anything a browser could resolve elsewhere: other
 * origins, `//host`, and what dots, tabs or backslashes turn into one.
 * @throws AppError `invalid_request`
 */
export function returnPath(text: string | undefined, publicUrl: string): string {
  const asked = text ?? '/';
  const url =
    asked.length <= 2000 && asked.startsWith('/') && URL.canParse(asked, publicUrl)
      ? new URL(asked, publicUrl)
      : undefined;
  const path = url && url.pathname + url.search + url.hash;
  const isOwn = url?.origin === new URL(publicUrl).origin && path !== undefined && /^\/(?![/\\])/.test(path);
  if (isOwn && !/[\\\s]/.test(asked)) return path;
  throw invalidRequest([{ path: '{query}/return_to', message: 'must be a path of the portal, such as /catalog' }]);
}
