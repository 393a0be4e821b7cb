// Stretches of one width at a time; leads and sums need one row each.
#include <bits/stdc++.h>
using namespace std;

int stoneGameVII(vector<int>& stones) {
    int n = stones.size();
    vector<int> lead(n, 0), sum(stones);
    for (int width = 1; width < n; ++width) {
        for (int left = 0; left + width < n; ++left) {
            lead[left] = max(sum[left + 1] - lead[left + 1], sum[left] - lead[left]);
            sum[left] += stones[left + width];
        }
    }
    return lead[0];
}

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int n;
    cin >> n;
    vector<int> stones(n);
    for (int& value : stones) cin >> value;
    cout << stoneGameVII(stones) << "\n";
}
