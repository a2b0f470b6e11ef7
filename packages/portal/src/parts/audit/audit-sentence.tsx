import { useRead } from '../../api/query.ts';
import { isAdmin, useSession } from '../../api/session.ts';
import { EntityAnchor } from '../entity-anchor.tsx';
import classes from './audit.module.css';
import { type AuditNames, type AuditRecord, describeAudit } from './sentence.ts';

/** Names of people, programs, blueprints and properties, as far as the reader may know them. */
export function useAuditNames(): AuditNames {
  const users = useRead('listUsers', { query: { fields: ['email', 'firstName', 'lastName'] } });
  const blueprints = useRead('listBlueprints');
  const isOn = isAdmin(useSession());
  const programs = useRead('listApps', undefined, { isOn });
  const people = new Map(
    users.data?.users.map(({ email, firstName, lastName }) => [email, [firstName, lastName].filter(Boolean).join(' ')]),
  );
  const known = new Map(blueprints.data?.blueprints.map((each) => [each.identifier, each]));
  const named = new Map(programs.data?.apps.map(({ id, name }) => [id, name]));
  return {
    person: (email) => people.get(email) || email,
    program: (id) => named.get(id) || 'A program',
    blueprint: (identifier) => known.get(identifier)?.title || identifier,
    property: (blueprint, key) => {
      const found = known.get(blueprint);
      return found?.schema.properties[key]?.title || found?.relations[key]?.title || key;
    },
  };
}

/** Who did what to which thing; without a link where the sentence itself is pressed. */
export function AuditSentenceText({
  record,
  names,
  isPlain = false,
}: {
  record: AuditRecord;
  names: AuditNames;
  isPlain?: boolean;
}) {
  const { who, did, kind, thing, entity, detail } = describeAudit(record, names);
  return (
    <span className={classes.sentence} dir="auto">
      <strong>{who}</strong> {[did, kind].filter(Boolean).join(' ')}{' '}
      {entity && !isPlain ? (
        <EntityAnchor blueprint={entity.blueprint} identifier={entity.identifier} title={thing} />
      ) : (
        thing && <strong>{thing}</strong>
      )}
      {detail && <span className={classes.detail}> · {detail}</span>}
    </span>
  );
}
