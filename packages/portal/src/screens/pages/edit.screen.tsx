import { useState } from 'react';
import { useRead } from '../../api/query.ts';
import type { LinkTarget } from '../../frame/link-target.ts';
import { useParam } from '../../frame/url-state.ts';
import { EmptyState, Reading, TableSkeleton } from '../../kit/states.tsx';
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
      {mayChange ? (
        <PageEditor page={begun} address={address} />
      ) : (
        <EmptyState title="You cannot change this page">
          {page.locked
            ? 'It is locked: only administrators change it.'
            : 'Its rights name who may. An administrator can add you.'}
        </EmptyState>
      )}
    </>
  );
}

function addressOfPage({ identifier, type }: Page): LinkTarget {
  return type === 'home' ? { to: '/' } : { to: '/catalog/$page', params: { page: identifier } };
}
