import { VisuallyHidden } from '@mantine/core';
import { Bell } from 'lucide-react';
import { useSession } from '../api/session.ts';
import { t } from '../kit/translate.ts';
import { useNotices } from './notices.ts';
import { PanelButton } from './panel-button.tsx';

/** The bell with the number of notices that the user has not read, which is also said as it changes. */
export function NoticesButton() {
  const { user } = useSession();
  const unread = useNotices().data?.unread ?? 0;
  if (user === null) return null;
  const label = unread > 0 ? t('Notices, {count} unread', { count: unread }) : t('Notices');
  return (
    <>
      <PanelButton panel="notices" label={label} icon={Bell} count={unread} />
      <VisuallyHidden role="status">{unread > 0 && t('{count} unread notices', { count: unread })}</VisuallyHidden>
    </>
  );
}
