// Fault: sums are kept in single precision, which is exact only up to 16 million.
#include <bits/stdc++.h>
using namespace std;

int stoneGameVIII(vector<int>& stones) {
    int n = stones.size();
    vector<float> prefix(stones.begin(), stones.end());
    partial_sum(prefix.begin(), prefix.end(), prefix.begin());
    float lead = prefix[n - 1];
    for (int i = n - 2; i >= 1; --i) lead = max(lead, prefix[i] - lead);
    return (int)lead;
}

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int n;
    cin >> n;
    vector<int> stones(n);
    for (int& value : stones) cin >> value;
    cout << stoneGameVIII(stones) << "\n";
}
