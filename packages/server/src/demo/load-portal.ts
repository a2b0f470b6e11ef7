import { actionBody, actionPermissionsBody, folderBody, pageBody, pagePermissionsBody } from '@portolan/contract';
import { changeActionPermissionsWithin, createActionWithin } from '../modules/actions/index.ts';
import {
  changePagePermissionsWithin,
  createFolderWithin,
  createPageWithin,
  replacePageWithin,
} from '../modules/pages/index.ts';
import type { Work } from '../platform/unit-of-work.ts';
import type { DemoOrganization, DemoPage } from './types.ts';

/** What people do and look at in the demo: actions with their rights, automations, folders and pages. */
export async function loadPortal(work: Work, demo: DemoOrganization): Promise<void> {
  for (const body of [...demo.actions, ...demo.automations]) await createActionWithin(work, actionBody.parse(body));
  for (const [identifier, rights] of Object.entries(demo.actionPermissions)) {
    await changeActionPermissionsWithin(work, identifier, actionPermissionsBody.parse(rights));
  }
  for (const folder of demo.folders) await createFolderWithin(work, folderBody.parse(folder));
  for (const page of demo.pages) await loadPage(work, page);
}

/** The home page is there already; a private page belongs to whoever made it. */
async function loadPage(work: Work, { page: written, createdBy, read }: DemoPage): Promise<void> {
  const body = pageBody.parse(written);
  const author: Work = createdBy === undefined ? work : { ...work, actor: { ...work.actor, id: createdBy } };
  const { page } =
    body.type === 'home' && body.identifier
      ? await replacePageWithin(author, body.identifier, body)
      : await createPageWithin(author, body);
  if (read) await changePagePermissionsWithin(work, page.identifier, pagePermissionsBody.parse({ read }));
}
