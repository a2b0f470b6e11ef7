import { type Fault, operations } from './two-faults-world.ts';

/** Every answer: entities and records that it added, then the refusal and the fields that it names. */
export const allAnswers: Readonly<Record<string, string>> = {
  '200a': '0 1',
  '200b': '0 2',
  '200c': '-1 1',
  '200d': '-2 2',
  '200e': '0 4',
  '200f': '-1 2',
  '200g': '-2 4',
  '201a': '1 1',
  '201b': '0 1',
  '201c': '1 2',
  '201d': '0 2',
  '207a': '0 1 404 not_found: Entity with identifier "it" of the blueprint "thing" was not found',
  '207b': '0 1 403 missing_permissions: You may not set of entities of "thing": size',
  '207c': '0 0 403 missing_permissions: You may not set of entities of "thing": note, size',
  '207d': '0 1 422 invalid_request: The entity "it" is not valid. /properties/size: must be number',
  '207e': '0 1 404 not_found: Entity with identifier "nobody" of the blueprint "thing" was not found',
  '207f': '0 1 404 not_found: Entity with identifier "v" of the blueprint "vault1" was not found',
  '207g': '0 1 403 missing_permissions: You may not register entities of the blueprint "thing"',
  '207h': '0 0 404 not_found: Entity with identifier "it" of the blueprint "thing" was not found',
  '207i': '0 1 403 missing_permissions: You may not set of entities of "thing": size, part',
  '207j': '0 1 403 missing_permissions: You may not set of entities of "thing": size, vault',
  '207k': '0 0 422 invalid_request: The entity "it" is not valid. /properties/size: must be number',
  '207l': '0 0 403 missing_permissions: You may not set of entities of "thing": note, size, part',
  '207m': '0 0 403 missing_permissions: You may not set of entities of "thing": note, size, vault',
  '207n': '0 2 404 not_found: Entity with identifier "it" of the blueprint "_user" was not found',
  '207o': '0 2 403 missing_permissions: You may not set of entities of "_user": size',
  '207p': '0 2 422 invalid_request: The entity "it" is not valid. /properties/size: must be number',
  '207q': '0 2 404 not_found: Entity with identifier "v" of the blueprint "vault1" was not found',
  '207r':
    '0 2 403 missing_permissions: Setting port_role of "it" takes rights that you do not have; ask an administrator to do it',
  '207s': '0 2 403 missing_permissions: You may not set of entities of "_user": size, vault',
  '403a':
    '0 0 missing_permissions: You may not set of entities of "thing": $team, note, size /team /properties/note /properties/size',
  '403b': '0 0 missing_permissions: You may not unregister entities of the blueprint "thing"',
  '403c': '0 0 missing_permissions: You may not register entities of the blueprint "thing"',
  '403d': '0 0 missing_permissions: You may not update entities of the blueprint "thing"',
  '403e': '0 0 missing_permissions: You may not set of entities of "thing": $team, size /team /properties/size',
  '403f': '0 0 missing_permissions: You may not set of entities of "thing": size /properties/size',
  '403g':
    '0 0 missing_permissions: You may not set of entities of "thing": note, size /properties/note /properties/size',
  '403h':
    '0 0 missing_permissions: You may not set of entities of "thing": $team, note, size, part /team /properties/note /properties/size /relations/part',
  '403i':
    '0 0 missing_permissions: You may not set of entities of "thing": $team, note, size, vault /team /properties/note /properties/size /relations/vault',
  '403j':
    '0 0 missing_permissions: You may not set of entities of "thing": $identifier, size /identifier /properties/size',
  '403k':
    '0 0 missing_permissions: You may not set of entities of "thing": $team, size, part /team /properties/size /relations/part',
  '403l':
    '0 0 missing_permissions: You may not set of entities of "thing": size, part /properties/size /relations/part',
  '403m':
    '0 0 missing_permissions: You may not set of entities of "thing": $team, size, vault /team /properties/size /relations/vault',
  '403n':
    '0 0 missing_permissions: You may not set of entities of "thing": size, vault /properties/size /relations/vault',
  '403o':
    '0 0 missing_permissions: You may not set of entities of "thing": $identifier, note, size /identifier /properties/note /properties/size',
  '403p':
    '0 0 missing_permissions: You may not set of entities of "thing": note, size, part /properties/note /properties/size /relations/part',
  '403q':
    '0 0 missing_permissions: You may not set of entities of "thing": note, size, vault /properties/note /properties/size /relations/vault',
  '403r':
    '0 0 missing_permissions: You may not set of entities of "_user": $team, status, port_role, port_type, size /team /properties/status /properties/port_role /properties/port_type /properties/size',
  '403s': '0 0 missing_permissions: You may not set of entities of "_user": size /properties/size',
  '403t': '0 0 missing_permissions: You may not unregister entities of the blueprint "_user"',
  '403u':
    '0 0 missing_permissions: Setting port_role of "it" takes rights that you do not have; ask an administrator to do it /properties/port_role /properties/port_role',
  '403v':
    '0 0 missing_permissions: You may not set of entities of "_user": $team, status, port_role, port_type, size, vault /team /properties/status /properties/port_role /properties/port_type /properties/size /relations/vault',
  '403w':
    '0 0 missing_permissions: You may not set of entities of "_user": size, vault /properties/size /relations/vault',
  '403x':
    '0 0 missing_permissions: You may not set of entities of "_user": $team, status, port_role, port_type, note, size /team /properties/status /properties/port_role /properties/port_type /properties/note /properties/size',
  '403y':
    '0 0 missing_permissions: You may not set of entities of "_user": $team, status, port_role, port_type, note, size, vault /team /properties/status /properties/port_role /properties/port_type /properties/note /properties/size /relations/vault',
  '404a': '0 0 not_found: Entity with identifier "it" of the blueprint "thing" was not found',
  '404b': '0 0 not_found: Blueprint with identifier "thing" was not found',
  '404c': '0 0 not_found: Entity with identifier "nobody" of the blueprint "thing" was not found',
  '404d': '0 0 not_found: Entity with identifier "v" of the blueprint "vault1" was not found',
  '404e': '0 0 not_found: Entity with identifier "it" of the blueprint "_user" was not found',
  '409a': '0 0 identifier_taken: An entity "it" of the blueprint "thing" exists; the identifier is taken',
  '409b': '0 0 stale_version: The entity is not at the version you read: it does not exist',
  '409c': '0 0 stale_version: The entity is not at the version you read: it is at version 1 now',
  '409d': '0 0 identifier_taken: An entity "taken" of the blueprint "thing" exists; the identifier is taken',
  '409e':
    '0 0 migration_in_progress: The blueprint "thing" is being deleted with all its entities by the migration …. Nothing is written there unless that is cancelled or fails.',
  '409f': '0 0 identifier_taken: An entity "it" of the blueprint "_user" exists; the identifier is taken',
  '422a': '0 0 invalid_request: The entity "it" is not valid. /properties/size: must be number /properties/size',
  '422b': '0 0 run_ended: The run … has the status SUCCESS; entities are changed for runs in progress alone',
  '422c': '0 0 invalid_request: The entity "taken" is not valid. /properties/size: must be number /properties/size',
  '422d': '0 0 managed_field: The address of the user "it" cannot change /identifier',
};

/** By faults, what each of `operations` answers. */
const things = `
  none                    201a 201b 201a 201b 200a 200a 200b 200c 200d
  policed                 403a 201b 403a 201b 200a 200a 200b 200c 403b
  hidden                  409a 404a 201a 404a 404a 404a 207a 404a 404a
  unreadable              404b 404b 404b 404b 404b 404b 404b 404b 404b
  unwritable              403c 403d 403d 403d 403d 403d 403d 403b 403b
  unregistrable           403c 201b 403c 201b 200a 200a 200b 200c 200d
  partial                 403e 403f 403e 403f 403f 403f 207b 403b 403b
  unmatched               403c 403g 403c 403g 403g 403g 207c 403b 403b
  invalid                 422a 422a 422a 422a 422a 422a 207d 200c 200d
  stale                   409b 409c 409b 409c 409c 409c 200b 409c 200d
  taken                   409a 201b 201a 201b 409d 409d 200b 200c 200d
  missing                 404c 404c 404c 404c 404c 404c 207e 200c 200d
  secret                  404d 404d 404d 404d 404d 404d 207f 200c 200d
  ended                   422b 422b 422b 422b 422b 422b 422b 422b 422b
  leaving                 409e 409e 409e 409e 409e 409e 409e 200c 200d
  policed+hidden          409a 201b 403a 201b 200a 200a 200b 200c 403b
  policed+unreadable      404b 404b 404b 404b 404b 404b 404b 404b 404b
  policed+unwritable      403c 403d 403d 403d 403d 403d 403d 403b 403b
  policed+unregistrable   403c 201b 403c 201b 200a 200a 200b 200c 403b
  policed+partial         403e 403f 403e 403f 403f 403f 207b 403b 403b
  policed+unmatched       403c 403g 403c 403g 403g 403g 207c 403b 403b
  policed+invalid         422a 422a 422a 422a 422a 422a 207d 200c 403b
  policed+stale           409b 409c 409b 409c 409c 409c 200b 409c 403b
  policed+taken           409a 201b 403a 201b 409d 409d 200b 200c 403b
  policed+missing         403h 404c 403h 404c 404c 404c 207e 200c 403b
  policed+secret          403i 404d 403i 404d 404d 404d 207f 200c 403b
  policed+ended           422b 422b 422b 422b 422b 422b 422b 422b 422b
  policed+leaving         409e 409e 409e 409e 409e 409e 409e 200c 200d
  hidden+unreadable       404b 404b 404b 404b 404b 404b 404b 404b 404b
  hidden+unwritable       403c 403d 403d 403d 403d 403d 403d 403b 403b
  hidden+unregistrable    403c 403c 403c 403c 404a 404a 207g 404a 404a
  hidden+partial          409a 404a 403e 404a 404a 404a 207a 403b 403b
  hidden+unmatched        409a 404a 403c 404a 404a 404a 207h 404a 404a
  hidden+invalid          409a 404a 422a 404a 404a 404a 207a 404a 404a
  hidden+stale            409a 404a 409b 404a 404a 404a 207a 404a 404a
  hidden+taken            409a 404a 201a 404a 404a 404a 207a 404a 404a
  hidden+missing          409a 404a 404c 404a 404a 404a 207a 404a 404a
  hidden+secret           409a 404a 404d 404a 404a 404a 207a 404a 404a
  hidden+ended            422b 422b 422b 422b 422b 422b 422b 422b 422b
  hidden+leaving          409e 409e 409e 409e 409e 409e 409e 404a 404a
  unreadable+invalid      404b 404b 404b 404b 404b 404b 404b 404b 404b
  unreadable+ended        404b 404b 404b 404b 404b 404b 404b 422b 422b
  unreadable+leaving      404b 404b 404b 404b 404b 404b 404b 404b 404b
  unwritable+invalid      403c 403d 403d 403d 403d 403d 403d 403b 403b
  unwritable+ended        403c 403d 403d 403d 403d 403d 403d 422b 422b
  unwritable+leaving      403c 403d 403d 403d 403d 403d 403d 403b 403b
  unregistrable+partial   403c 403f 403c 403f 403f 403f 207b 403b 403b
  unregistrable+unmatched 403c 403g 403c 403g 403g 403g 207c 403b 403b
  unregistrable+invalid   403c 422a 403c 422a 422a 422a 207d 200c 200d
  unregistrable+stale     403c 409c 403c 409c 409c 409c 200b 409c 200d
  unregistrable+taken     403c 201b 403c 201b 409d 409d 200b 200c 200d
  unregistrable+missing   403c 404c 403c 404c 404c 404c 207e 200c 200d
  unregistrable+secret    403c 404d 403c 404d 404d 404d 207f 200c 200d
  unregistrable+ended     403c 422b 422b 422b 422b 422b 422b 422b 422b
  unregistrable+leaving   403c 409e 409e 409e 409e 409e 409e 200c 200d
  partial+unmatched       403c 403f 403c 403f 403f 403f 207b 403b 403b
  partial+invalid         422a 422a 422a 422a 422a 422a 207d 403b 403b
  partial+stale           409b 409c 409b 409c 409c 409c 207b 403b 403b
  partial+taken           409a 403f 403e 403f 403j 403j 207b 403b 403b
  partial+missing         403k 403l 403k 403l 403l 403l 207i 403b 403b
  partial+secret          403m 403n 403m 403n 403n 403n 207j 403b 403b
  partial+ended           422b 422b 422b 422b 422b 422b 422b 422b 422b
  partial+leaving         409e 409e 409e 409e 409e 409e 409e 403b 403b
  unmatched+invalid       422a 422a 422a 422a 422a 422a 207k 403b 403b
  unmatched+stale         409b 409c 409b 409c 409c 409c 207c 403b 403b
  unmatched+taken         409a 403g 403c 403g 403o 403o 207c 403b 403b
  unmatched+missing       403c 403p 403c 403p 403p 403p 207l 403b 403b
  unmatched+secret        403c 403q 403c 403q 403q 403q 207m 403b 403b
  unmatched+ended         422b 422b 422b 422b 422b 422b 422b 422b 422b
  unmatched+leaving       409e 409e 409e 409e 409e 409e 409e 403b 403b
  invalid+stale           409b 409c 409b 409c 409c 409c 207d 409c 200d
  invalid+taken           409a 422a 422a 422a 422c 422c 207d 200c 200d
  invalid+missing         422a 422a 422a 422a 422a 422a 207d 200c 200d
  invalid+secret          422a 422a 422a 422a 422a 422a 207d 200c 200d
  invalid+ended           422b 422b 422b 422b 422b 422b 422b 422b 422b
  invalid+leaving         409e 409e 409e 409e 409e 409e 409e 200c 200d
  stale+taken             409a 409c 409b 409c 409c 409c 200b 409c 200d
  stale+missing           409b 409c 409b 409c 409c 409c 207e 409c 200d
  stale+secret            409b 409c 409b 409c 409c 409c 207f 409c 200d
  stale+ended             422b 422b 422b 422b 422b 422b 422b 422b 422b
  stale+leaving           409e 409e 409e 409e 409e 409e 409e 409c 200d
  taken+missing           409a 404c 404c 404c 404c 404c 207e 200c 200d
  taken+secret            409a 404d 404d 404d 404d 404d 207f 200c 200d
  taken+ended             422b 422b 422b 422b 422b 422b 422b 422b 422b
  taken+leaving           409e 409e 409e 409e 409e 409e 409e 200c 200d
  missing+secret          404c 404c 404c 404c 404c 404c 207e 200c 200d
  missing+ended           422b 422b 422b 422b 422b 422b 422b 422b 422b
  missing+leaving         409e 409e 409e 409e 409e 409e 409e 200c 200d
  secret+ended            422b 422b 422b 422b 422b 422b 422b 422b 422b
  secret+leaving          409e 409e 409e 409e 409e 409e 409e 200c 200d
  ended+leaving           422b 422b 422b 422b 422b 422b 422b 422b 422b
`;

const users = `
  none            201c 201d 201c 201d 200b 200b 200e 200f 200g
  policed         403x 201d 403x 201d 200b 200b 200e 200f 403t
  hidden          409f 404e 201c 404e 404e 404e 207n 404e 404e
  partial         403r 403s 403r 403s 403s 403s 207o 403t 403t
  invalid         422a 422a 422a 422a 422a 422a 207p 200f 200g
  stale           409b 409c 409b 409c 409c 409c 200e 409c 200g
  taken           409f 201d 201c 201d 422d 422d 200e 200f 200g
  secret          404d 404d 404d 404d 404d 404d 207q 200f 200g
  person          403u 403u 403u 403u 403u 403u 207r 200f 200g
  policed+hidden  409f 201d 403x 201d 200b 200b 200e 200f 403t
  policed+partial 403r 403s 403r 403s 403s 403s 207o 403t 403t
  policed+invalid 422a 422a 422a 422a 422a 422a 207p 200f 403t
  policed+stale   409b 409c 409b 409c 409c 409c 200e 409c 403t
  policed+taken   409f 201d 403x 201d 422d 422d 200e 200f 403t
  policed+secret  403y 404d 403y 404d 404d 404d 207q 200f 403t
  policed+person  403u 403u 403u 403u 403u 403u 207r 200f 403t
  hidden+partial  409f 404e 403r 404e 404e 404e 207n 403t 403t
  hidden+invalid  409f 404e 422a 404e 404e 404e 207n 404e 404e
  hidden+stale    409f 404e 409b 404e 404e 404e 207n 404e 404e
  hidden+taken    409f 404e 201c 404e 404e 404e 207n 404e 404e
  hidden+secret   409f 404e 404d 404e 404e 404e 207n 404e 404e
  hidden+person   409f 404e 403u 404e 404e 404e 207n 404e 404e
  partial+invalid 422a 422a 422a 422a 422a 422a 207p 403t 403t
  partial+stale   409b 409c 409b 409c 409c 409c 207o 403t 403t
  partial+taken   409f 403s 403r 403s 422d 422d 207o 403t 403t
  partial+secret  403v 403w 403v 403w 403w 403w 207s 403t 403t
  partial+person  403u 403u 403u 403u 403u 403u 207r 403t 403t
  invalid+stale   409b 409c 409b 409c 409c 409c 207p 409c 200g
  invalid+taken   409f 422a 422a 422a 422d 422d 207p 200f 200g
  invalid+secret  422a 422a 422a 422a 422a 422a 207p 200f 200g
  invalid+person  422a 422a 422a 422a 422a 422a 207p 200f 200g
  stale+taken     409f 409c 409b 409c 409c 409c 200e 409c 200g
  stale+secret    409b 409c 409b 409c 409c 409c 207q 409c 200g
  stale+person    409b 409c 409b 409c 409c 409c 207r 409c 200g
  taken+secret    409f 404d 404d 404d 422d 422d 207q 200f 200g
  taken+person    409f 403u 403u 403u 422d 422d 207r 200f 200g
  secret+person   403u 403u 403u 403u 403u 403u 207r 200f 200g
`;

export interface FaultRow {
  readonly blueprint: 'thing' | '_user';
  readonly faults: readonly Fault[];
  /** A key of `allAnswers` for each operation. */
  readonly answers: readonly string[];
}

export const faultRows: readonly FaultRow[] = [...read('thing', things), ...read('_user', users)];

function read(blueprint: FaultRow['blueprint'], table: string): FaultRow[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [names = '', ...answers] = line.trim().split(/\s+/);
      if (answers.length !== operations.length) throw new Error(`A cell is missing: ${line}`);
      return { blueprint, faults: names === 'none' ? [] : (names.split('+') as Fault[]), answers };
    });
}
