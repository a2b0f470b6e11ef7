export { createPeople, type People } from './people.module.ts';
export type { NewUser } from './write-user.ts';
