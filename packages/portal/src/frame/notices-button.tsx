import { ActionIcon, Badge, VisuallyHidden } from '@mantine/core';
import { Bell } from 'lucide-react';
import { useSession } from '../api/session.ts';
import { Tooltip } from '../kit/tooltip.tsx';
import { t } from '../kit/translate.ts';
import classes from './frame.module.css';
import { useNotices } from './notices.ts';
import { usePanel } from './panel.tsx';

/** The bell with the number of notices that the user has not read, which is also said as it changes. */
export function NoticesButton() {
  const { user } = useSession();
  const { open, close, shown } = usePanel();
  const unread = useNotices().data?.unread ?? 0;
  if (user === null) return null;
  const isShown = shown?.startsWith('notices~') ?? false;
  const label = unread > 0 ? t('Notices, {count} unread', { count: unread }) : t('Notices');
  return (
    <>
      <Tooltip label={label}>
        <ActionIcon
          className={classes.inboxButton ?? ''}
          variant="subtle"
          color="gray"
          aria-label={label}
          aria-expanded={isShown}
          onClick={() => (isShown ? close() : open('notices'))}
          size={32}
        >
          <Bell size={20} />
          {unread > 0 && (
            <Badge className={classes.count ?? ''} circle size="xs" variant="filled" aria-hidden="true">
              {unread > 9 ? '9+' : unread}
            </Badge>
          )}
        </ActionIcon>
      </Tooltip>
      <VisuallyHidden role="status">{unread > 0 && t('{count} unread notices', { count: unread })}</VisuallyHidden>
    </>
  );
}
