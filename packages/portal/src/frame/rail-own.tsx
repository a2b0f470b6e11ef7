import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useRead } from '../api/query.ts';
import { isAdmin, useSession } from '../api/session.ts';
import { t } from '../kit/translate.ts';
import { EntityIcon } from '../parts/entity-icon.tsx';
import { SidebarDialog } from '../parts/sidebar/sidebar-dialog.tsx';
import classes from './rail-arranged.module.css';
import { RailLink } from './rail-node.tsx';

/**
 * The user's private pages, which the organization's side bar does not hold. Administrators add pages in the side bar
 * instead.
 */
export function RailOwn({ onGo }: { onGo?: (() => void) | undefined }) {
  const session = useSession();
  const read = useRead('listPages', { query: { compact: true } }, { isOn: session.user !== null });
  const [isAsking, setAsking] = useState(false);
  const own = (read.data?.pages ?? []).filter(({ visibility }) => visibility === 'private');
  const maySelf = session.user !== null && !isAdmin(session);
  if (own.length === 0 && !maySelf) return null;
  return (
    <>
      {own.length > 0 && <p className={classes.heading}>{t('Yours')}</p>}
      {own.map(({ identifier, title, icon }) => (
        <RailLink
          key={identifier}
          target={{ to: '/catalog/$page', params: { page: identifier } }}
          label={title ?? identifier}
          icon={<EntityIcon name={icon} />}
          onGo={onGo}
        />
      ))}
      {maySelf && (
        <button type="button" className={classes.add} data-item tabIndex={-1} onClick={() => setAsking(true)}>
          <Plus size={16} aria-hidden="true" />
          {t('Add a page of your own')}
        </button>
      )}
      <SidebarDialog question={{ kind: 'page' }} items={[]} isOpen={isAsking} onClose={() => setAsking(false)} />
    </>
  );
}
