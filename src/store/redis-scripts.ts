/** The Lua scripts of `redis://`, each atomic. `navwatch::<key>` is a document, `navwatch:keys` holds the keys in byte order, and `navwatch:store` is the mark with the lease. */
import { createHash } from 'node:crypto';

export const STORE = 'navwatch:store';
export const KEYS = 'navwatch:keys';
export const NAMESPACE = 'navwatch';
export const COUNTER = 'navwatch:counter:';

export interface Script {
  readonly text: string;
  readonly sha: string;
}

/** The server's time in milliseconds, with a fraction. */
const NOW = "local time = redis.call('TIME') local now = time[1] * 1000 + time[2] / 1000\n";

const script = (text: string): Script => {
  const whole = NOW + text;
  return { text: whole, sha: createHash('sha1').update(whole).digest('hex') };
};

/** Claims the database. Arguments: a new id, the application, the format. The write fails on a read-only server. */
export const CLAIM = script(`
local mark = redis.call('HMGET', KEYS[1], 'application', 'format', 'id')
if not mark[1] then
  -- DBSIZE counts keys that have expired, too.
  if redis.call('RANDOMKEY') then return {'foreign'} end
  redis.call('HSET', KEYS[1], 'application', ARGV[2], 'format', ARGV[3], 'id', ARGV[1], 'epoch', '0', 'owner', '', 'holder', '', 'until', '0')
  return {'opened', ARGV[1], tostring(now)}
end
if mark[1] ~= ARGV[2] then return {'foreign'} end
if tonumber(mark[2]) > tonumber(ARGV[3]) then return {'newer', mark[2]} end
redis.call('HSET', KEYS[1], 'opened', tostring(now))
return {'opened', mark[3], tostring(now)}`);

/** Writes a batch. Arguments: id, owner or '' for any, epoch, deadline; then for each write `set`, `delete` or `add`, key and text. */
export const WRITE = script(`
local mark = redis.call('HMGET', KEYS[1], 'id', 'owner', 'epoch')
if mark[1] ~= ARGV[1] then return {'moved', tostring(now)} end
if ARGV[2] ~= '' and (mark[2] ~= ARGV[2] or mark[3] ~= ARGV[3]) then return {'superseded', tostring(now)} end
if now > tonumber(ARGV[4]) then return {'late', tostring(now)} end
local reply = {'written', tostring(now)}
for i = 5, #ARGV, 3 do
  local key = ARGV[i + 1]
  local name = '${NAMESPACE}::' .. key
  if ARGV[i] == 'delete' then
    redis.call('ZREM', KEYS[2], key)
    redis.call('DEL', name)
  elseif ARGV[i] == 'add' and redis.call('EXISTS', name) == 1 then
    reply[#reply + 1] = key
  else
    redis.call('ZADD', KEYS[2], 0, key)
    redis.call('SET', name, ARGV[i + 2])
  end
end
return reply`);

/** Reads a range. Arguments: the bounds of ZRANGEBYLEX, the limit. A key without text is unreadable, not absent. */
export const RANGE = script(`
local keys = redis.call('ZRANGEBYLEX', KEYS[1], ARGV[1], ARGV[2], 'LIMIT', 0, ARGV[3])
local reply = {}
for first = 1, #keys, 1000 do
  local names = {}
  for i = first, math.min(first + 999, #keys) do names[#names + 1] = '${NAMESPACE}::' .. keys[i] end
  for i, text in ipairs(redis.call('MGET', unpack(names))) do
    reply[#reply + 1] = keys[first + i - 1]
    reply[#reply + 1] = text or ''
  end
end
return reply`);

/** Takes or extends the lease. Arguments: id, owner, holder, ttlMs, the known format. */
export const ACQUIRE = script(`
local mark = redis.call('HMGET', KEYS[1], 'id', 'owner', 'epoch', 'until', 'format')
if mark[1] ~= ARGV[1] then return {'moved'} end
if tonumber(mark[5]) > tonumber(ARGV[5]) then return {'newer', mark[5]} end
local epoch = tonumber(mark[3])
if mark[2] ~= ARGV[2] then
  if mark[2] ~= '' and tonumber(mark[4]) > now then return {'held'} end
  epoch = epoch + 1
end
redis.call('HSET', KEYS[1], 'epoch', string.format('%d', epoch), 'owner', ARGV[2], 'holder', ARGV[3],
  'until', string.format('%.3f', now + tonumber(ARGV[4])))
return {'taken', string.format('%d', epoch)}`);

/** Releases the lease and raises the epoch. Arguments: id, owner. */
export const RELEASE = script(`
local mark = redis.call('HMGET', KEYS[1], 'id', 'owner', 'epoch')
if mark[1] ~= ARGV[1] or mark[2] ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'epoch', string.format('%d', tonumber(mark[3]) + 1), 'owner', '', 'holder', '', 'until', '0')
return 1`);

export const HOLDER = script(`
local mark = redis.call('HMGET', KEYS[1], 'holder', 'epoch', 'until', 'owner')
if not mark[4] or mark[4] == '' or tonumber(mark[3]) <= now then return {} end
return {mark[1], mark[2], string.format('%.3f', tonumber(mark[3]) - now)}`);

/** Takes from a rate. Arguments: intervalMs, burst. */
export const TAKE = script(`
local due = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now)
local wait = due - (tonumber(ARGV[2]) - 1) * tonumber(ARGV[1]) - now
if wait > 0 then return string.format('%.3f', wait) end
local next = due + tonumber(ARGV[1])
redis.call('SET', KEYS[1], string.format('%.3f', next), 'PX', string.format('%d', math.ceil(next - now)))
return '0'`);

/** Adds to a counter. Arguments: amount, limit, ttlMs. */
export const ADD = script(`
local before = redis.call('GET', KEYS[1])
local sum = tonumber(before or '0') + tonumber(ARGV[1])
if sum > tonumber(ARGV[2]) then return false end
if before then
  redis.call('SET', KEYS[1], string.format('%.17g', sum), 'KEEPTTL')
else
  redis.call('SET', KEYS[1], string.format('%.17g', sum), 'PX', string.format('%d', math.ceil(tonumber(ARGV[3]))))
end
return string.format('%.17g', sum)`);
