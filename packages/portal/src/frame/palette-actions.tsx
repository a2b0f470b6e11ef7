import { useNavigate } from '@tanstack/react-router';
import { ArrowUpRight, CornerDownLeft, GitBranch, Link2, Play, Sparkles, Star, Users } from 'lucide-react';
import { useEffect } from 'react';
import { useRead } from '../api/query.ts';
import { useToast } from '../kit/toasts.tsx';
import { t } from '../kit/translate.ts';
import { entityAddress } from '../parts/entity-anchor.tsx';
import { useFavorite } from '../parts/favorites/use-favorites.ts';
import { formAddress } from '../parts/run-things.ts';
import { useEntityForms } from '../parts/workflows/entity-triggers.ts';
import { buildHref } from './link-target.ts';
import type { FoundEntity, Result } from './palette-search.tsx';

const icon = { size: 16, 'aria-hidden': true } as const;

interface EntityActionsProps {
  readonly entity: FoundEntity;
  readonly onClose: () => void;
  readonly onFound: (results: readonly Result[]) => void;
}

/** The second level of the palette: tells what can be done with an entity. It draws nothing itself. */
export function EntityActions({ entity, onClose, onFound }: EntityActionsProps) {
  const results = useEntityActions(entity, onClose);
  // biome-ignore lint/correctness/useExhaustiveDependencies: results of the same names do the same
  useEffect(() => onFound(results), [results.map(({ key, title }) => `${key} ${title}`).join()]);
  return null;
}

function useEntityActions(entity: FoundEntity, onClose: () => void): Result[] {
  const navigate = useNavigate();
  const toast = useToast();
  const { blueprint, identifier } = entity;
  const read = useRead('getEntity', {
    params: { blueprint_identifier: blueprint, entity_identifier: identifier },
  });
  const actions = useRead('listActions', {
    query: {
      blueprint_identifier: blueprint,
      trigger_type: 'self-service',
      operation: ['DAY-2', 'DELETE'],
      published: 'true',
    },
  });
  const forms = useEntityForms(blueprint, identifier);
  const favorite = useFavorite({
    kind: 'entity',
    blueprint,
    identifier,
    ...(entity.title ? { title: entity.title } : {}),
    ...(entity.icon ? { icon: entity.icon } : {}),
  });
  const address = entityAddress(blueprint, identifier);
  const owner = read.data?.entity.team?.[0];
  const item = (key: string, title: string, shown: React.ReactNode, run: () => void): Result => ({
    key: `act ${key}`,
    group: entity.title ?? identifier,
    title,
    icon: shown,
    run: () => {
      onClose();
      run();
    },
  });
  const copy = () =>
    void navigator.clipboard
      .writeText(location.origin + buildHref(address))
      .then(() => toast(t('The link was copied')));
  return [
    item('open', t('Open'), <CornerDownLeft {...icon} />, () => void navigate(address)),
    item('tab', t('Open in new tab'), <ArrowUpRight {...icon} />, () => window.open(buildHref(address), '_blank')),
    item('copy', t('Copy link'), <Link2 {...icon} />, copy),
    item(
      'ask',
      t('Ask about it'),
      <Sparkles {...icon} />,
      () => void navigate({ ...address, search: { panel: 'assistant~' } }),
    ),
    ...(favorite.isOffered
      ? [item('favorite', favorite.label, <Star {...icon} />, () => favorite.toggle({ tells: true }))]
      : []),
    ...(owner
      ? [item('owner', t('Show owner'), <Users {...icon} />, () => void navigate(entityAddress('_team', owner)))]
      : []),
    ...(actions.data?.actions ?? []).map(({ identifier: action, title }) =>
      item(
        t('run {action}', { action }),
        t('Run {title}', { title: title ?? action }),
        <Play {...icon} />,
        () => void navigate(formAddress(action, {}, identifier)),
      ),
    ),
    ...forms.map(({ key, title, address: form }) =>
      item(`start ${key}`, t('Start {title}', { title }), <GitBranch {...icon} />, () => void navigate(form)),
    ),
  ];
}
