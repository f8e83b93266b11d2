import { expect, test } from "vitest";
import { findLostMount } from "./lost-volume.ts";

const MOUNTS = String.raw`
600 500 0:200 / / rw,relatime master:1 - overlay overlay rw,lowerdir=/a:/b
601 600 0:201 / /proc rw,nosuid - proc proc rw
602 600 0:202 / /tmp rw,nosuid - tmpfs tmpfs rw,size=65536k
603 600 8:1 /var/lib/docker/volumes/colloquy_data/_data /data rw,relatime master:1 - ext4 /dev/sda1 rw
604 600 8:1 /var/lib/docker/volumes/${"0f".repeat(32)}/_data /anonymous rw,relatime - ext4 /dev/sda1 rw
605 600 8:1 /var/lib/kubelet/pods/1/volumes/kubernetes.io~empty-dir/data /pod rw,relatime - xfs /dev/sda1 rw
606 600 8:1 /var/lib/kubelet/pods/1/volumes/kubernetes.io~csi/pvc/mount /claim rw,relatime - xfs /dev/sda1 rw
607 600 0:203 / /with\040space rw,relatime - nfs4 server:/files rw
608 600 0:204 / /hidden rw,relatime - tmpfs tmpfs rw
609 600 8:1 / /hidden rw,relatime - ext4 /dev/sdb1 rw
610 603 0:205 / /data/files/memory rw,relatime - tmpfs tmpfs rw
`;

test.each([
  ["/data", undefined],
  ["/data/files", undefined],
  ["/data/files/memory/deep", "a disk in memory"],
  ["/database", "the file system of the container"],
  ["/", "the file system of the container"],
  ["/tmp/files", "a disk in memory"],
  ["/anonymous", "a volume without a name"],
  ["/pod/files", "an emptyDir of Kubernetes"],
  ["/claim/files", undefined],
  ["/with space/files", undefined],
  ["/hidden", undefined],
])("the volume of %s is %s", (path, expected) => {
  expect(findLostMount(MOUNTS, path)).toBe(expected);
});

test("nothing is known where there is no list of mounts", () => {
  expect(findLostMount("", "/data")).toBeUndefined();
});
