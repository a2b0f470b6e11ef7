import { useState } from 'react';
import { useRead } from '../../api/query.ts';
import type { LinkTarget } from '../../frame/link-target.ts';
import { useParam } from '../../frame/url-state.ts';
import { EmptyState, Reading, TableSkeleton } from '../../kit/states.tsx';
import { WhoCanGrant } from '../../parts/access/who-can-grant.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { useMayChangePage } from '../../parts/pages/may-change.ts';
import type { Page } from './page-draft.ts';
import { PageEditor } from './page-editor.tsx';

/** Edits a page: widgets, name, place and permissions. */
export function Screen() {
  const identifier = useParam('page');
  const read = useRead('getPage', { params: { page_identifier: identifier } });
  return (
    <Reading of={read} isScreen skeleton={<TableSkeleton />}>
      {({ page }) => <Begun key={page.identifier} page={page} />}
    </Reading>
  );
}

/** Keeps the page as first read: a refetch must not change what the user is arranging. */
function Begun({ page }: { page: Page }) {
  const [begun] = useState(page);
  const mayChange = useMayChangePage(page);
  const address = addressOfPage(page);
  const title = page.title || page.identifier;
  return (
    <>
      <PageHeader title={`Edit ${title}`} icon={page.icon ?? ''} trail={[{ ...address, label: title }]} />
      {mayChange?.isAllowed && <PageEditor page={begun} address={address} />}
      {mayChange?.isAllowed === false && (
        <EmptyState title="You cannot change this page">
          Changing this page needs {mayChange.needs}. <WhoCanGrant />
        </EmptyState>
      )}
    </>
  );
}

function addressOfPage({ identifier, type }: Page): LinkTarget {
  return type === 'home' ? { to: '/' } : { to: '/catalog/$page', params: { page: identifier } };
}
