import fc from 'fast-check';

// What `npm test` draws follows from one seed, so that a change is judged by the same draws as the one before it.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env['PORTOLAN_TEST_SEED']) });
