import { Button, Group } from '@mantine/core';
import { isAdmin, useSession } from '../api/session.ts';
import { t } from '../kit/translate.ts';
import { useEnter, useRemoveDemo } from './demo-organization.ts';
import classes from './frame.module.css';

/** Says in the demo that it is one, and leads back to the own organization and to its end. */
export function DemoBar() {
  const session = useSession();
  const enter = useEnter();
  const remove = useRemoveDemo();
  const { organization, otherOrganization: own } = session;
  if (!organization.isDemo || !own) return null;
  return (
    <section className={classes.demo} aria-label={t('Demo organization')}>
      <span>{t('This is the demo organization, with invented data.')}</span>
      <Group gap="xs">
        <Button size="compact-sm" variant="default" onClick={() => void enter(own.id)}>
          {t('Go to yours')}
        </Button>
        {isAdmin(session) && (
          <Button size="compact-sm" variant="default" onClick={() => void remove(organization.name, own.id)}>
            {t('Remove it')}
          </Button>
        )}
      </Group>
    </section>
  );
}
