"""A Ray cluster of two nodes on this machine, reachable by loopback alone, until standard input ends."""

from __future__ import annotations

import sys

from ray.cluster_utils import Cluster

NODE = {
    "num_cpus": 1,
    "object_store_memory": 80 * 2**20,
    "node_ip_address": "127.0.0.1",
    "include_dashboard": False,
}

if __name__ == "__main__":
    cluster = Cluster(initialize_head=True, head_node_args=NODE)
    cluster.add_node(**NODE)
    cluster.wait_for_nodes()
    print(cluster.address, flush=True)
    sys.stdin.read()
    cluster.shutdown()
