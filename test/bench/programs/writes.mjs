// Loaded into the bot before its own code: counts what it hands to SQLite and says its CPU time when the runner asks.
import { createRequire } from 'node:module';
import process from 'node:process';

/** The driver belongs to the store's adapter, so it is found from there. */
const ADAPTER = '@keyv/sqlite';
const DRIVER = 'sqlite3';

const totals = { known: false, documents: 0, bytes: 0, commits: 0, by: {} };
let inTransaction = false;

/** One statement: how many rows of values it sets or deletes, and the bytes of the texts bound to it. */
function count(sql, bound) {
  if (/^\s*BEGIN/iu.test(sql)) inTransaction = true;
  else if (/^\s*(COMMIT|END|ROLLBACK)/iu.test(sql)) {
    inTransaction = false;
    totals.commits += 1;
  } else if (/^\s*(INSERT|REPLACE|UPDATE|DELETE)/iu.test(sql)) {
    const texts = bound.flat().filter((value) => typeof value === 'string');
    const keys = /^\s*DELETE/iu.test(sql) ? texts : texts.filter((_, index) => index % 2 === 0);
    const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    totals.documents += Math.max(1, keys.length);
    totals.bytes += bytes;
    for (const key of keys) {
      const part = (totals.by[/^[^/]*/u.exec(key)[0]] ??= { documents: 0, bytes: 0 });
      part.documents += 1;
      part.bytes += Buffer.byteLength(key) + Buffer.byteLength(keys === texts ? '' : texts[texts.indexOf(key) + 1]);
    }
    if (!inTransaction) totals.commits += 1;
  }
}

try {
  const require = createRequire(createRequire(import.meta.url).resolve(ADAPTER));
  const { Statement, Database } = require(DRIVER);
  for (const name of ['run', 'all', 'get', 'each']) {
    const native = Statement.prototype[name];
    Statement.prototype[name] = function counted(...args) {
      count(this.sql, args);
      return native.apply(this, args);
    };
  }
  const { exec } = Database.prototype;
  Database.prototype.exec = function counted(sql, ...rest) {
    for (const statement of sql.split(';')) count(statement, []);
    return exec.call(this, sql, ...rest);
  };
  totals.known = true;
} catch {
  // Another driver: the figures of writes are then reported as unknown.
}

process.on('message', (id) => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  process.send?.({ id, cpu: (userCPUTime + systemCPUTime) / 1e6, writes: totals });
});
// The line to the runner must not keep a bot alive that has stopped.
process.channel?.unref();
