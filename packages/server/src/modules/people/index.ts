export { createPeople, type People } from './people.module.ts';
