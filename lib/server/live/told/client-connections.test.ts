import { connect, createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { FakeProcesses } from "@/lib/testing/live/fake-processes";
import { onPlatform } from "@/lib/testing/on-platform";
import { isConnected } from "./client-connections";

const HEAD =
  "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";
const line = (state: string, inode: number) =>
  `   2: 0100007F:C242 0100007F:B5E3 ${state} 00000000:00000000 02:0000169C 00000000     0        0 ${inode} 2 0 20 0 0 10 -1\n`;

// Not on Windows, where links to what is not there may not be made.
it.skipIf(process.platform === "win32")(
  "a process is connected by a socket of its own that is open or being opened",
  () => {
    onPlatform("linux");
    using processes = new FakeProcesses();
    processes.add(11);
    const told = (...lines: string[]) => {
      processes.setConnections(11, HEAD + lines.join(""));
      return isConnected(11, processes.folder);
    };
    expect(told(line("01", 500))).toBe(false);
    processes.addSocket(11, 500);
    expect(told(line("01", 500))).toBe(true);
    expect(told(line("02", 500))).toBe(true);
    // It waits for others, or has been closed from there.
    expect(told(line("0A", 500), line("08", 500))).toBe(false);
    expect(told(line("01", 501))).toBe(false);
    expect(isConnected(12, processes.folder)).toBe(null);
  },
);

it.runIf(process.platform === "linux")("so it is of processes of this system", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const socket = connect(typeof address === "object" ? (address?.port ?? 0) : 0, "127.0.0.1");
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
  expect(isConnected(process.pid)).toBe(true);
});
