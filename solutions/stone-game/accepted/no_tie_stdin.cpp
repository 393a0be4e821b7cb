// Keeping to the even places or to the odd ones Alice gets at least half, and an odd total rules out a tie.
#include <bits/stdc++.h>
using namespace std;

bool stoneGame(const vector<int>& piles) {
    int total = accumulate(piles.begin(), piles.end(), 0);
    return total % 2 == 1;
}

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int n;
    cin >> n;
    vector<int> piles(n);
    for (int& value : piles) cin >> value;
    cout << boolalpha << stoneGame(piles) << "\n";
}
