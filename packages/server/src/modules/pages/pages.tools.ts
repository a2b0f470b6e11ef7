import { pageBody, pageIdentifier, pagePermissionsBody } from '@portolan/contract/pages';
import { z } from 'zod';
import { AppError } from '../../platform/errors.ts';
import { pageArguments, pageOfAll } from '../../platform/tools/page.ts';
import { type ToolDeclaration, tool } from '../../platform/tools/tool.ts';
import { changePagePermissions, readPagePermissions } from './change-page-permissions.ts';
import { allWidgets, presentPage, type StoredPage } from './page.ts';
import type { PagesDeps } from './pages.deps.ts';
import { getPage, listPages } from './read-pages.ts';
import { createPage, deletePage, replacePage } from './write-pages.ts';

const identifier = z.string().min(1).describe('Identifier of the page');

export function pageTools(deps: PagesDeps): ToolDeclaration[] {
  return [...readTools(deps), ...builderTools(deps)];
}

function readTools(deps: PagesDeps): ToolDeclaration[] {
  const { database } = deps;
  return [
    tool({
      name: 'list_pages',
      title: 'List pages',
      description: 'Lists the pages and dashboards of the portal that the caller may see, in short form.',
      effect: 'read',
      scope: 'read:pages',
      audience: 'developer',
      input: z.strictObject({ ...pageArguments }),
      run: async ({ actor }, input) => {
        const { items, ...page } = pageOfAll(await listPages(database, actor), (each) => each.identifier, input);
        return { ...page, pages: items.map(shortForm) };
      },
    }),
    tool({
      name: 'get_page',
      title: 'Get a page',
      description: 'Returns one page whole, with its widgets, their queries and its filters.',
      effect: 'read',
      scope: 'read:pages',
      audience: 'developer',
      input: z.strictObject({ identifier }),
      run: async ({ actor }, input) => ({ page: presentPage(await getPage(database, actor, input.identifier)) }),
    }),
    tool({
      name: 'get_page_permissions',
      title: 'Get the rights on a page',
      description: 'Tells who may see and who may change a page.',
      effect: 'read',
      scope: 'read:pages',
      audience: 'developer',
      input: z.strictObject({ identifier }),
      run: async ({ actor }, input) => ({ permissions: await readPagePermissions(deps, actor, input.identifier) }),
    }),
  ];
}

function shortForm({ identifier: name, type, blueprint, definition }: StoredPage) {
  const widgets = [...allWidgets(definition.widgets ?? [])].length;
  return {
    identifier: name,
    type,
    ...(definition.title ? { title: definition.title } : {}),
    ...(blueprint === null ? {} : { blueprint }),
    widgets,
  };
}

function builderTools(deps: PagesDeps): ToolDeclaration[] {
  return [
    tool({
      name: 'upsert_page',
      title: 'Create or replace a page',
      description:
        'Creates the page if its identifier is new, else replaces it whole with its widgets; read it first with get_page to keep what shall stay.',
      effect: 'destructive',
      scope: ['create:pages', 'update:pages'],
      audience: 'builder',
      aliases: ['create_page', 'update_page'],
      isIdempotent: true,
      input: z.strictObject({ page: pageBody.extend({ identifier: pageIdentifier }).strict() }),
      run: async ({ actor }, input) => {
        const exists = await isThere(deps, actor, input.page.identifier);
        const { page, warnings } = exists
          ? await replacePage(deps, actor, input.page.identifier, input.page)
          : await createPage(deps, actor, input.page);
        return { created: !exists, page: presentPage(page), ...(warnings.length > 0 ? { warnings } : {}) };
      },
    }),
    tool({
      name: 'delete_page',
      title: 'Delete a page',
      description: 'Deletes one page with its widgets. The home page and the pages of entities cannot be deleted.',
      effect: 'destructive',
      scope: 'delete:pages',
      audience: 'builder',
      input: z.strictObject({ identifier }),
      run: async ({ actor }, input) => {
        await deletePage(deps, actor, input.identifier);
        return { deleted: input.identifier };
      },
    }),
    tool({
      name: 'update_page_permissions',
      title: 'Change who may see and change a page',
      description: 'Changes the rights on a page; what is not named stays. Read them first with get_page_permissions.',
      effect: 'destructive',
      scope: 'update:pages',
      audience: 'builder',
      isIdempotent: true,
      input: z.strictObject({ identifier, permissions: pagePermissionsBody }),
      run: ({ actor }, input) => changePagePermissions(deps, actor, input.identifier, input.permissions),
    }),
  ];
}

async function isThere({ database }: PagesDeps, actor: Parameters<typeof getPage>[1], name: string): Promise<boolean> {
  try {
    await getPage(database, actor, name);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return false;
    throw error;
  }
}
