/** Metrics of the process, under the names that client libraries share. */
import { readdirSync } from 'node:fs';
import { Counter, Gauge, type Registry } from 'prom-client';

export function processMetrics(registry: Registry): () => void {
  const registers = [registry];
  const cpu = new Counter({ name: 'process_cpu_seconds_total', help: 'CPU time, user and system.', registers });
  const resident = new Gauge({ name: 'process_resident_memory_bytes', help: 'Resident memory.', registers });
  const files = new Gauge({ name: 'process_open_fds', help: 'Open file descriptors. Linux only.', registers });
  const started = new Gauge({ name: 'process_start_time_seconds', help: 'Start of the process, Unix time.', registers });
  const heapUsed = new Gauge({ name: 'nodejs_heap_size_used_bytes', help: 'Used heap of Node.js.', registers });
  const heapTotal = new Gauge({ name: 'nodejs_heap_size_total_bytes', help: 'Heap of Node.js.', registers });
  const version = new Gauge({ name: 'nodejs_version_info', help: 'Version of Node.js.', labelNames: ['version'], registers });
  version.set({ version: process.version }, 1);
  started.set(Math.round(performance.timeOrigin / 1_000));
  let counted = 0;
  return () => {
    const { user, system } = process.cpuUsage();
    const seconds = (user + system) / 1e6;
    cpu.inc(Math.max(0, seconds - counted));
    counted = seconds;
    const { rss, heapUsed: used, heapTotal: total } = process.memoryUsage();
    resident.set(rss);
    heapUsed.set(used);
    heapTotal.set(total);
    const open = openFiles();
    if (open === undefined) files.reset();
    else files.set(open);
  };
}

function openFiles(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return undefined; // No such folder on this system.
  }
}
