import { Text } from '@mantine/core';
import { useRead } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';
import { AnchorLink } from '../../frame/links.tsx';
import { Block } from '../../kit/block.tsx';
import { locale } from '../../kit/language.ts';
import { ErrorState } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { dueText, writtenDate } from '../../parts/campaigns/due.ts';
import { EntityAnchor } from '../../parts/entity-anchor.tsx';
import classes from './home.module.css';

/** What active campaigns ask of the user's teams; nothing where they ask nothing. */
export function OwnCampaigns() {
  const { user } = useSession();
  const { data, error, refetch } = useRead('listOwnCampaigns', undefined, { isOn: (user?.teams ?? []).length > 0 });
  if (error && !data)
    return <ErrorState error={error} what={t('Your campaigns could not be read')} onRetry={() => void refetch()} />;
  if (!data || data.campaigns.length === 0) return null;
  const now = new Date();
  return (
    <Block title={t('Campaigns')}>
      <ul className={classes.campaigns}>
        {data.campaigns.map(({ campaign, total, open, exempt, remindedAt, entities }) => (
          <li key={campaign.id}>
            <div className={classes.campaign}>
              <AnchorLink
                to="/builder/campaigns/$campaign"
                params={{ campaign: campaign.id }}
                search={{ mine: true }}
                fw={600}
                className={classes.link ?? ''}
                dir="auto"
              >
                {campaign.title}
              </AnchorLink>
              <span className={classes.note}>
                {t('{open} of {total} open · {dueDate}', {
                  open: open.toLocaleString(locale),
                  total: total.toLocaleString(locale),
                  dueDate: dueText(campaign.dueDate, now),
                })}
                {exempt > 0 && (
                  <>
                    {' · '}
                    <span aria-hidden="true">◇ </span>
                    {t('{exempt} exempt', { exempt: exempt.toLocaleString(locale) })}
                  </>
                )}
              </span>
              {remindedAt && (
                <span className={classes.note}>
                  {t('Reminder of {day}', { day: writtenDate(remindedAt.slice(0, 10)) })}
                </span>
              )}
            </div>
            <div className={classes.openEntities}>
              {entities.map(({ identifier, title }) => (
                <EntityAnchor key={identifier} blueprint={campaign.blueprint} identifier={identifier} title={title} />
              ))}
              {open > entities.length && (
                <Text size="sm" c="dimmed">
                  {t('and {value} more', { value: (open - entities.length).toLocaleString(locale) })}
                </Text>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Block>
  );
}
