import { actionBody, actionPermissionsBody } from '@portolan/contract/actions';
import { pageBody, pagePermissionsBody } from '@portolan/contract/pages';
import { folderBody } from '@portolan/contract/sidebars';
import type { PageRecord, TransferFile } from '@portolan/contract/transfer-file';
import { changeActionPermissionsWithin, createActionWithin } from '../modules/actions/maintenance.ts';
import {
  changePagePermissionsWithin,
  createFolderWithin,
  createPageWithin,
  replacePageWithin,
} from '../modules/pages/maintenance.ts';
import type { Work } from '../platform/unit-of-work.ts';

/** What people do and look at in the demo: actions with their rights, automations, folders and pages. */
export async function loadPortal(work: Work, { actions, folders, pages }: TransferFile): Promise<void> {
  for (const { body } of actions) await createActionWithin(work, actionBody.parse(body));
  for (const { identifier, permissions } of actions) {
    if (permissions) await changeActionPermissionsWithin(work, identifier, actionPermissionsBody.parse(permissions));
  }
  for (const { body } of folders) await createFolderWithin(work, folderBody.parse(body));
  for (const page of pages) await loadPage(work, page);
}

/** The home page is there already; a private page belongs to whoever made it. */
async function loadPage(work: Work, { body: written, createdBy, permissions }: PageRecord): Promise<void> {
  const body = pageBody.parse(written);
  const author: Work = createdBy === undefined ? work : { ...work, actor: { ...work.actor, id: createdBy } };
  const { page } =
    body.type === 'home' && body.identifier
      ? await replacePageWithin(author, body.identifier, body)
      : await createPageWithin(author, body);
  if (permissions) await changePagePermissionsWithin(work, page.identifier, pagePermissionsBody.parse(permissions));
}
